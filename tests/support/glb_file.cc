#include "support/glb_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace sinew::test {
namespace {

std::uint32_t word(std::span<const std::byte> bytes, std::size_t offset) {
  if (offset + 4 > bytes.size()) throw std::runtime_error("the GLB ends too early");
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + offset, 4);
  return value;
}

std::string at(const std::string& where, const char* list, std::size_t i) {
  return where + list + "[" + std::to_string(i) + "]";
}

/// Joints of influences without weight do not matter.
bool same_influences(const Scene::InfluenceSet& a, const Scene::InfluenceSet& b, float tolerance) {
  if (a.joints.size() != b.joints.size() || a.weights.size() != b.weights.size()) return false;
  for (std::size_t v = 0; v < a.weights.size(); ++v) {
    for (int i = 0; i < 4; ++i) {
      if (!(std::fabs(a.weights[v][i] - b.weights[v][i]) <= tolerance)) return false;
      if (a.weights[v][i] != 0 && a.joints[v][std::size_t(i)] != b.joints[v][std::size_t(i)]) return false;
    }
  }
  return true;
}

std::string of_primitive(const Scene::Primitive& a, const Scene::Primitive& b, float weights) {
  if (a.topology != b.topology) return "topology";
  if (a.positions != b.positions) return "positions";
  if (a.normals != b.normals) return "normals";
  if (a.tangents != b.tangents) return "tangents";
  if (a.uvs != b.uvs) return "uvs";
  if (a.indices != b.indices) return "indices";
  if (a.influences.size() != b.influences.size()) return "influences";
  for (std::size_t i = 0; i < a.influences.size(); ++i) {
    if (!same_influences(a.influences[i], b.influences[i], weights)) return at("", "influences", i);
  }
  if (a.targets.size() != b.targets.size()) return "targets";
  for (std::size_t i = 0; i < a.targets.size(); ++i)
    if (a.targets[i].positions != b.targets[i].positions || a.targets[i].normals != b.targets[i].normals ||
        a.targets[i].tangents != b.targets[i].tangents)
      return at("", "targets", i);
  return "";
}

std::string of_meshes(const Scene& a, const Scene& b, float weights) {
  if (a.meshes.size() != b.meshes.size()) return "meshes";
  for (std::size_t m = 0; m < a.meshes.size(); ++m) {
    const std::string where = at("", "meshes", m);
    const Scene::Mesh &x = a.meshes[m], &y = b.meshes[m];
    if (x.name != y.name || x.weights != y.weights || x.target_names != y.target_names) return where;
    if (x.primitives.size() != y.primitives.size()) return where + ".primitives";
    for (std::size_t p = 0; p < x.primitives.size(); ++p)
      if (const std::string what = of_primitive(x.primitives[p], y.primitives[p], weights); !what.empty())
        return at(where, ".primitives", p) + "." + what;
  }
  return "";
}

std::string of_clips(const Scene& a, const Scene& b) {
  if (a.clips.size() != b.clips.size()) return "clips";
  for (std::size_t c = 0; c < a.clips.size(); ++c) {
    const std::string where = at("", "clips", c);
    const Scene::Clip &x = a.clips[c], &y = b.clips[c];
    if (x.name != y.name || x.tracks.size() != y.tracks.size()) return where;
    for (std::size_t t = 0; t < x.tracks.size(); ++t) {  // lists of times may be shared otherwise
      const Scene::Track &u = x.tracks[t], &v = y.tracks[t];
      if (u.node != v.node || u.path != v.path || u.interpolation != v.interpolation || u.values != v.values ||
          x.times[u.times] != y.times[v.times])
        return at(where, ".tracks", t);
    }
  }
  return "";
}

}  // namespace

std::vector<std::byte> GlbFile::view(int index) const {
  const auto& entry = json.at("bufferViews").at(std::size_t(index));
  if (entry.at("buffer") != 0) throw std::runtime_error("the view is not of the binary chunk");
  const std::size_t offset = entry.value("byteOffset", std::size_t(0)), length = entry.at("byteLength");
  if (offset + length > bin.size()) throw std::runtime_error("the view reaches outside the binary chunk");
  return {bin.begin() + std::ptrdiff_t(offset), bin.begin() + std::ptrdiff_t(offset + length)};
}

GlbFile read_glb(std::span<const std::byte> bytes) {
  constexpr std::uint32_t kMagic = 0x46546C67, kJson = 0x4E4F534A, kBin = 0x004E4942;
  if (word(bytes, 0) != kMagic || word(bytes, 4) != 2 || word(bytes, 8) != bytes.size())
    throw std::runtime_error("the GLB's header is wrong");
  const std::size_t length = word(bytes, 12);
  if (word(bytes, 16) != kJson || length % 4 != 0 || 20 + length > bytes.size())
    throw std::runtime_error("the GLB's first chunk is wrong");
  GlbFile out;
  const char* text = reinterpret_cast<const char*>(bytes.data() + 20);
  out.json = nlohmann::json::parse(text, text + length);
  if (20 + length == bytes.size()) return out;
  const std::size_t binary = word(bytes, 20 + length);
  if (word(bytes, 24 + length) != kBin || 28 + length + binary != bytes.size())
    throw std::runtime_error("the GLB's second chunk is wrong");
  out.bin.assign(bytes.end() - std::ptrdiff_t(binary), bytes.end());
  return out;
}

std::string difference(const Scene& expected, const Scene& scene, float weights) {
  if (expected.nodes.size() != scene.nodes.size()) return "nodes";
  for (std::size_t i = 0; i < expected.nodes.size(); ++i) {
    const Scene::Node &a = expected.nodes[i], &b = scene.nodes[i];
    if (a.name != b.name || a.parent != b.parent || a.children != b.children || a.mesh != b.mesh || a.skin != b.skin ||
        a.weights != b.weights)
      return at("", "nodes", i);
    if (a.rest != b.rest) return at("", "nodes", i) + ".rest";
  }
  if (expected.skins.size() != scene.skins.size()) return "skins";
  for (std::size_t i = 0; i < expected.skins.size(); ++i) {
    const Scene::Skin &a = expected.skins[i], &b = scene.skins[i];
    if (a.name != b.name || a.joints != b.joints || a.skeleton != b.skeleton ||
        a.inverse_bind_matrices != b.inverse_bind_matrices)
      return at("", "skins", i);
  }
  if (!expected.scenes.empty() && expected.scenes != scene.scenes) return "scenes";
  if (expected.default_scene != kNone && expected.default_scene != scene.default_scene) return "default_scene";
  const std::string meshes = of_meshes(expected, scene, weights);
  return meshes.empty() ? of_clips(expected, scene) : meshes;
}

namespace {

/// Parts in the order of the file that they are baked to: a node a mesh node, in the order of the first part of each.
std::vector<const PlacedVertices*> in_file_order(const std::vector<PlacedVertices>& parts) {
  std::vector<const PlacedVertices*> out;
  for (const PlacedVertices& part : parts) out.push_back(&part);
  const auto first = [&](const PlacedVertices* part) {
    return std::find_if(parts.begin(), parts.end(),
                        [&](const PlacedVertices& other) { return other.node == part->node; });
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const PlacedVertices* a, const PlacedVertices* b) { return first(a) < first(b); });
  return out;
}

std::string of_baked(const Scene::Primitive& primitive, const PlacedVertices& part, double size) {
  constexpr double kTolerance = 1e-6;
  if (!primitive.targets.empty() || !primitive.influences.empty()) return "has influences or morph targets";
  if (primitive.positions.size() != part.positions.size() || primitive.normals.size() != part.normals.size())
    return "has another number of vertices";
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    const DVec3& position = part.positions[v];
    const std::string vertex = "vertex " + std::to_string(v);
    if (!(distance(to_double(primitive.positions[v]), position) <= kTolerance * std::max(size, length(position))))
      return vertex + " is elsewhere";
    if (part.normals.empty()) continue;
    const DVec3 normal = to_double(primitive.normals[v]);
    if (!(std::fabs(length(normal) - 1) <= kTolerance)) return vertex + " has a normal that is not of unit length";
    if (length(part.normals[v]) > 0 && !(distance(normal, part.normals[v]) <= kTolerance))
      return vertex + " has another normal";
  }
  return "";
}

}  // namespace

std::string baked_difference(const Scene& baked, const Evaluated& expected, double size) {
  if (!baked.skins.empty() || !baked.clips.empty()) return "has skins or clips";
  const std::vector<const PlacedVertices*> parts = in_file_order(expected.parts);
  std::size_t next = 0;
  for (std::size_t n = 0; n < baked.nodes.size(); ++n) {
    const Scene::Node& node = baked.nodes[n];
    if (node.rest != Transform{} || node.parent != kNone || node.mesh == kNone)
      return at("", "nodes", n) + " is no plain mesh node";
    for (const Scene::Primitive& primitive : baked.meshes[std::size_t(node.mesh)].primitives) {
      if (next == parts.size()) return "has more primitives than parts";
      const std::string what = of_baked(primitive, *parts[next], size);
      if (!what.empty()) return at("", "parts", next) + ": " + what;
      ++next;
    }
  }
  return next == parts.size() ? "" : "has fewer primitives than parts";
}

}  // namespace sinew::test
