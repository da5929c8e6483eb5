// validator_files FOLDER: writes what the Khronos validator is to judge: files.json and witnesses.json list them.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "biped/biped.h"
#include "sinew/export.h"
#include "sinew/import.h"
#include "sinew/sinew.h"
#include "sinew/twist.h"
#include "sinew/write.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/glb_file.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

class Files {
 public:
  explicit Files(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
  }

  /// A file that must be right, but for what is wrong in `source` already.
  void add(const std::string& name, const Result<Bytes>& bytes, const std::filesystem::path& source = {}) {
    if (!bytes) {
      std::printf("FAIL %s: %s\n", name.c_str(), bytes.error().message().c_str());
      failed_ = true;
      return;
    }
    write_bytes(folder_ / (name + ".glb"), *bytes);
    nlohmann::json entry = {{"file", name + ".glb"}};
    if (!source.empty()) entry["source"] = source.string();
    files_.push_back(std::move(entry));
  }
  /// A file that must be rejected with this kind of error.
  void add_witness(const std::string& name, const std::string& bytes, const char* code) {
    write_bytes(folder_ / (name + ".glb"), std::as_bytes(std::span(bytes)));
    witnesses_.push_back({{"file", name + ".glb"}, {"code", code}});
  }
  bool write_lists() {
    write_text("files.json", files_.dump(1));
    write_text("witnesses.json", witnesses_.dump(1));
    std::printf("%zu files, %zu witnesses\n", files_.size(), witnesses_.size());
    return !failed_ && !files_.empty() && !witnesses_.empty();
  }

 private:
  void write_text(const char* name, const std::string& text) {
    write_bytes(folder_ / name, std::as_bytes(std::span(text)));
  }
  std::filesystem::path folder_;
  nlohmann::json files_ = nlohmann::json::array(), witnesses_ = nlohmann::json::array();
  bool failed_ = false;
};

/// As it is, and posed and baked half way through its last clip.
void add_all_forms(Files& files, const std::string& name, const Scene& scene,
                   const std::filesystem::path& source = {}) {
  files.add(name, export_glb(scene), source);
  const Result<Loaded> loaded = load(scene);
  if (!loaded) {
    std::printf("note: %s cannot be posed: %s\n", name.c_str(), loaded.error().message().c_str());
    return;
  }
  const Character& character = loaded->character;
  Pose pose(character.skeleton());
  if (!character.clips().empty()) {
    const Clip& clip = character.clips().back();
    run(SampleJob{clip, character.skeleton(), 0.5f * (clip.first_key + clip.duration), pose});
  }
  files.add(name + "_posed", export_posed_glb(scene, character, pose), source);
  files.add(name + "_baked", export_baked_glb(scene, character, pose), source);
}

/// Twist joints in what was built in code and in real files, one limb after another in the first.
void add_twisted(Files& files) {
  const auto twisted = [](const Scene& scene, const char* joint) {
    return must(add_twist_joints(scene, {joint, 2})).scene;
  };
  add_all_forms(files, "biped_twisted", twisted(twisted(make_biped(), "left_hand"), "right_hand"));
  add_all_forms(files, "tube_twisted", twisted(tube(), "joint1"));
  const auto shared = shared_dir();
  for (const auto& [file, joint] : {std::pair("cesium_man.gltf", "9"), std::pair("robot.glb", "LowerArm.L")}) {
    if (!shared) continue;
    const std::filesystem::path asset = *shared / "assets/gltf" / file;
    add_all_forms(files, test_name(asset) + "_twisted", twisted(must(import_file(asset)), joint), asset);
  }
}

/// Good files broken in one place each; the validator must find just that.
void add_witnesses(Files& files) {
  const Bytes good = must(export_glb(strip()));
  const std::string text(reinterpret_cast<const char*>(good.data()), good.size());
  std::string joints = text;
  joints.replace(joints.find("JOINTS_0"), 8, "JOINTS_1");
  files.add_witness("witness_joints", joints, "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY");

  const GlbFile file = read_glb(good);
  const auto& accessor =
      file.json["accessors"][file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].get<int>()];
  const std::size_t offset = file.json["bufferViews"][accessor["bufferView"].get<int>()].value("byteOffset", 0) +
                             accessor.value("byteOffset", 0);
  std::string weights = text;
  const float half = 0.5f;
  std::memcpy(weights.data() + (good.size() - file.bin.size()) + offset, &half, sizeof half);
  files.add_witness("witness_weights", weights, "ACCESSOR_WEIGHTS_NON_NORMALIZED");

  files.add_witness("witness_short", text.substr(0, text.size() - 4), "GLB_UNEXPECTED_END_OF_CHUNK_DATA");
}

int run_all(const std::filesystem::path& folder) {
  Files files(folder);
  add_all_forms(files, "biped", make_biped());
  add_all_forms(files, "strip", strip());
  add_all_forms(files, "tube", tube());
  add_all_forms(files, "chain", chain(300));  // joints over 255 need 16 bits
  add_all_forms(files, "morph_triangle", morph_triangle(3));
  for (const auto& asset : gltf_assets()) {
    const Result<Scene> scene = import_file(asset);
    if (scene)
      add_all_forms(files, test_name(asset), *scene, asset);
    else
      std::printf("note: %s is not imported: %s\n", asset.filename().c_str(), scene.error().message().c_str());
  }
  add_twisted(files);
  add_witnesses(files);
  return files.write_lists() ? 0 : 1;
}

}  // namespace
}  // namespace sinew::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: validator_files FOLDER\n");
    return 2;
  }
  return sinew::test::run_all(argv[1]);
}
