#include "support/compressed.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/files.h"

namespace sinew::test {

Result<CompressedCharacter> load_compressed(const Scene& scene, const CompressOptions& options) {
  Result<Compression> compression = compress(scene, options);
  if (!compression) return Unexpected(compression.error());
  WriteOptions plain = options.write;
  plain.compressed = compression->clips;
  Result<Loaded> loaded = load(scene, plain);
  if (!loaded) return Unexpected(loaded.error());
  return CompressedCharacter{std::move(*compression), std::move(*loaded)};
}

namespace {

class RawReader {
 public:
  explicit RawReader(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  template <class T>
  T take() {
    T value;
    if (at_ + sizeof value > bytes_.size()) throw std::runtime_error("the clip ends too early");
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    std::string out(take<std::uint32_t>(), ' ');
    for (char& c : out) c = take<char>();
    return out;
  }
  void align() { at_ = (at_ + 3) / 4 * 4; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

/// The ten floats of a joint: rotation, translation, scale.
Transform take_transform(RawReader& in) {
  float v[10];
  for (float& f : v) f = in.take<float>();
  return {{v[4], v[5], v[6]}, quat_xyzw(v[0], v[1], v[2], v[3]), {v[7], v[8], v[9]}};
}

}  // namespace

RawClip read_raw_clip(const std::filesystem::path& path) {
  RawReader in(read_bytes(path));
  if (in.take<std::uint64_t>() != 0x3150494c43574152u) throw std::runtime_error(path.string() + ": not RAWCLIP1");
  RawClip out;
  const auto joints = in.take<std::uint32_t>(), frames = in.take<std::uint32_t>();
  const auto rate = in.take<float>(), size = in.take<float>();
  in.take<std::uint32_t>();
  out.unit = double(size) / 180;
  out.frame_count = frames;
  Scene::Clip& clip = out.scene.clips.emplace_back();
  clip.name = in.text();
  for (std::uint32_t j = 0; j < joints; ++j) {
    Scene::Node& node = out.scene.nodes.emplace_back();
    node.parent = in.take<std::int32_t>();
    node.name = in.text();
    if (node.parent >= 0) out.scene.nodes[std::size_t(node.parent)].children.push_back(std::int32_t(j));
  }
  in.align();
  for (Scene::Node& node : out.scene.nodes) node.rest = take_transform(in);
  std::vector<float>& times = clip.times.emplace_back();
  for (std::uint32_t f = 0; f < frames; ++f) times.push_back(float(double(f) / double(rate)));
  for (std::uint32_t j = 0; j < joints; ++j)
    for (const Path driven : {Path::rotation, Path::translation, Path::scale})
      clip.tracks.push_back({std::int32_t(j), driven, Interpolation::linear, 0, {}});
  for (std::uint32_t f = 0; f < frames; ++f) {
    for (std::uint32_t j = 0; j < joints; ++j) {
      const auto [t, r, s] = take_transform(in);
      auto* tracks = clip.tracks.data() + 3 * j;
      tracks[0].values.insert(tracks[0].values.end(), {r.x, r.y, r.z, r.w});
      tracks[1].values.insert(tracks[1].values.end(), {t.x, t.y, t.z});
      tracks[2].values.insert(tracks[2].values.end(), {s.x, s.y, s.z});
    }
  }
  return out;
}

std::vector<PeerBytes> read_peer_bytes(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<PeerBytes> out;
  std::string line;
  std::getline(file, line);  // headings
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    PeerBytes& row = out.emplace_back();
    double joints, frames, raw, plain;
    if (!(fields >> row.clip >> joints >> frames >> raw >> plain >> row.bytes))
      throw std::runtime_error(path.string() + ": " + line);
  }
  return out;
}

}  // namespace sinew::test
