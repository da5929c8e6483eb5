#include "support/raw_gltf.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "support/files.h"

using nlohmann::json;

namespace sinew::test {
namespace {

std::string base64(std::span<const std::byte> bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < left ? std::uint32_t(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::vector<std::byte> to_bytes(const std::string& text) {
  const auto bytes = std::as_bytes(std::span<const char>(text));
  return {bytes.begin(), bytes.end()};
}

void append_u32(std::vector<std::byte>& out, std::size_t value) {
  for (int i = 0; i < 4; ++i) out.push_back(std::byte(value >> (8 * i) & 255));
}

template <class T>
std::vector<float> flat(const std::vector<T>& vectors) {
  std::vector<float> out(vectors.size() * sizeof(T) / sizeof(float));
  if (!out.empty()) std::memcpy(out.data(), vectors.data(), out.size() * sizeof(float));
  return out;
}

json node_json(const Scene::Node& node) {
  const Transform& t = node.rest;
  json out = {{"name", node.name},
              {"translation", {t.translation.x, t.translation.y, t.translation.z}},
              {"rotation", {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}},
              {"scale", {t.scale.x, t.scale.y, t.scale.z}}};
  if (!node.children.empty()) out["children"] = node.children;
  if (node.mesh != kNone) out["mesh"] = node.mesh;
  if (node.skin != kNone) out["skin"] = node.skin;
  if (!node.weights.empty()) out["weights"] = node.weights;
  return out;
}

/// Positions, with the box that glTF asks for.
int position_accessor(RawGltf& raw, const std::vector<Vec3>& positions) {
  const int index = raw.accessor(flat(positions), "VEC3");
  if (positions.empty()) return index;
  Vec3 least = positions[0], most = positions[0];
  for (const Vec3& p : positions) {
    for (int i = 0; i < 3; ++i) least[i] = std::min(least[i], p[i]), most[i] = std::max(most[i], p[i]);
  }
  raw.json["accessors"][index]["min"] = {least.x, least.y, least.z};
  raw.json["accessors"][index]["max"] = {most.x, most.y, most.z};
  return index;
}

json primitive_json(RawGltf& raw, const Scene::Primitive& p) {
  json attributes;
  attributes["POSITION"] = position_accessor(raw, p.positions);
  if (!p.normals.empty()) attributes["NORMAL"] = raw.accessor(flat(p.normals), "VEC3");
  if (!p.tangents.empty()) attributes["TANGENT"] = raw.accessor(flat(p.tangents), "VEC4");
  if (!p.uvs.empty()) attributes["TEXCOORD_0"] = raw.accessor(flat(p.uvs), "VEC2");
  for (std::size_t set = 0; set < p.influences.size(); ++set) {
    std::vector<std::uint16_t> joints;
    for (const auto& four : p.influences[set].joints) joints.insert(joints.end(), four.begin(), four.end());
    attributes["JOINTS_" + std::to_string(set)] = raw.accessor(joints, "VEC4");
    attributes["WEIGHTS_" + std::to_string(set)] = raw.accessor(flat(p.influences[set].weights), "VEC4");
  }
  json out = {{"mode", int(p.topology)}, {"attributes", attributes}};
  for (const Scene::MorphTarget& target : p.targets) {
    json t = json::object();
    if (!target.positions.empty()) t["POSITION"] = raw.accessor(flat(target.positions), "VEC3");
    if (!target.normals.empty()) t["NORMAL"] = raw.accessor(flat(target.normals), "VEC3");
    if (!target.tangents.empty()) t["TANGENT"] = raw.accessor(flat(target.tangents), "VEC3");
    out["targets"].push_back(std::move(t));
  }
  if (!p.indices.empty()) out["indices"] = raw.accessor(p.indices, "SCALAR");
  return out;
}

json skin_json(RawGltf& raw, const Scene::Skin& skin) {
  json out = {{"name", skin.name}, {"joints", skin.joints}};
  if (skin.skeleton != kNone) out["skeleton"] = skin.skeleton;
  if (skin.inverse_bind_matrices.empty()) return out;
  std::vector<float> matrices;
  for (const Affine& m : skin.inverse_bind_matrices) {
    for (int c = 0; c < 4; ++c) {
      for (int r = 0; r < 3; ++r) matrices.push_back(m.rows[r][c]);
      matrices.push_back(c == 3 ? 1.0f : 0.0f);
    }
  }
  out["inverseBindMatrices"] = raw.accessor(matrices, "MAT4");
  return out;
}

json animation_json(RawGltf& raw, const Scene::Clip& clip) {
  static constexpr const char* kModes[] = {"STEP", "LINEAR", "CUBICSPLINE"};
  static constexpr const char* kPaths[] = {"translation", "rotation", "scale", "weights"};
  static constexpr const char* kTypes[] = {"VEC3", "VEC4", "VEC3", "SCALAR"};
  json out = {{"name", clip.name}, {"channels", json::array()}, {"samplers", json::array()}};
  std::vector<int> times;
  for (const auto& list : clip.times) {
    const int index = raw.accessor(list, "SCALAR");
    if (!list.empty()) {
      const auto [low, high] = std::minmax_element(list.begin(), list.end());
      raw.json["accessors"][index]["min"] = {*low};
      raw.json["accessors"][index]["max"] = {*high};
    }
    times.push_back(index);
  }
  for (const Scene::Track& track : clip.tracks) {
    json target = {{"path", kPaths[int(track.path)]}};
    if (track.node != kNone) target["node"] = track.node;
    out["channels"].push_back({{"sampler", out["samplers"].size()}, {"target", target}});
    out["samplers"].push_back({{"input", times[track.times]},
                               {"output", raw.accessor(track.values, kTypes[int(track.path)])},
                               {"interpolation", kModes[int(track.interpolation)]}});
  }
  return out;
}

}  // namespace

std::size_t RawGltf::components(const std::string& type) {
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "VEC4" || type == "MAT2") return 4;
  if (type == "MAT3") return 9;
  if (type == "MAT4") return 16;
  return 1;
}

int RawGltf::view(std::span<const std::byte> bytes) {
  bin.resize((bin.size() + 3) / 4 * 4);
  json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", bytes.size()}});
  bin.insert(bin.end(), bytes.begin(), bytes.end());
  return int(json["bufferViews"].size()) - 1;
}

int RawGltf::accessor(int view, std::size_t count, const std::string& type, int component_type, bool normalized) {
  nlohmann::json a = {{"bufferView", view}, {"count", count}, {"type", type}, {"componentType", component_type}};
  if (normalized) a["normalized"] = true;
  json["accessors"].push_back(std::move(a));
  return int(json["accessors"].size()) - 1;
}

int RawGltf::accessor_like(int index, const nlohmann::json& changes) {
  nlohmann::json a = json["accessors"][index];
  a.merge_patch(changes);
  json["accessors"].push_back(std::move(a));
  return int(json["accessors"].size()) - 1;
}

json RawGltf::with_buffer() const {
  nlohmann::json out = json;
  if (!bin.empty() && !out.contains("buffers")) out["buffers"] = {{{"byteLength", bin.size()}}};
  return out;
}

std::vector<std::byte> RawGltf::gltf() const {
  nlohmann::json out = with_buffer();
  if (!bin.empty()) out["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(bin);
  return to_bytes(out.dump());
}

std::vector<std::byte> RawGltf::gltf_beside(const std::string& uri) const {
  nlohmann::json out = with_buffer();
  out["buffers"][0]["uri"] = uri;
  return to_bytes(out.dump());
}

std::vector<std::byte> RawGltf::glb() const {
  constexpr std::size_t kMagic = 0x46546C67, kJson = 0x4E4F534A, kBin = 0x004E4942;
  std::string text = with_buffer().dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::vector<std::byte> data = bin;
  data.resize((data.size() + 3) / 4 * 4);
  std::vector<std::byte> out;
  append_u32(out, kMagic), append_u32(out, 2);
  append_u32(out, 12 + 8 + text.size() + (data.empty() ? 0 : 8 + data.size()));
  append_u32(out, text.size()), append_u32(out, kJson);
  const std::vector<std::byte> text_bytes = to_bytes(text);
  out.insert(out.end(), text_bytes.begin(), text_bytes.end());
  if (!data.empty()) {
    append_u32(out, data.size()), append_u32(out, kBin);
    out.insert(out.end(), data.begin(), data.end());
  }
  return out;
}

RawGltf to_raw(const Scene& scene) {
  RawGltf raw;
  json roots = json::array();
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    raw.json["nodes"].push_back(node_json(scene.nodes[i]));
    if (scene.nodes[i].parent == kNone) roots.push_back(i);
  }
  raw.json["scenes"] = {{{"nodes", roots}}};
  raw.json["scene"] = 0;
  for (const Scene::Mesh& mesh : scene.meshes) {
    json m = {{"name", mesh.name}, {"primitives", json::array()}};
    for (const Scene::Primitive& p : mesh.primitives) m["primitives"].push_back(primitive_json(raw, p));
    if (!mesh.weights.empty()) m["weights"] = mesh.weights;
    raw.json["meshes"].push_back(std::move(m));
  }
  for (const Scene::Skin& skin : scene.skins) raw.json["skins"].push_back(skin_json(raw, skin));
  for (const Scene::Clip& clip : scene.clips) raw.json["animations"].push_back(animation_json(raw, clip));
  return raw;
}

Scene import_raw(const RawGltf& raw, const ImportOptions& options) { return must(import_gltf(raw.glb(), {}, options)); }

Scene through_file(const Scene& scene) { return import_raw(to_raw(scene)); }

}  // namespace sinew::test
