#include "support/forge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "character_generated.h"
#include "runtime/file_format.h"
#include "support/compressed.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

namespace schema = sinew::schema;

constexpr std::size_t kElementSizes[] = {1, 2, 4, 4, 4, 8, 12, 16, 48};  // by schema::ElementType

/// Notes where the directory's arrays and numbers lie.
class Walker {
 public:
  Walker(const Bytes& bytes, std::map<std::string, ForgedFile::Array>& arrays,
         std::map<std::string, ForgedFile::Place>& numbers)
      : bytes_(bytes), arrays_(arrays), numbers_(numbers) {}

  void array(const std::string& path, const schema::Array* array) {
    if (!array) return;
    arrays_[path] = {std::size_t(array->offset()), std::size_t(array->count()), kElementSizes[array->type()],
                     place(array)};
  }
  template <class T>
  void number(const std::string& path, const flatbuffers::Table& table, flatbuffers::voffset_t field) {
    if (const auto* address = table.GetAddressOf(field)) numbers_[path] = {place(address), sizeof(T)};
  }

 private:
  std::size_t place(const void* p) const { return std::size_t(static_cast<const std::byte*>(p) - bytes_.data()); }
  const Bytes& bytes_;
  std::map<std::string, ForgedFile::Array>& arrays_;
  std::map<std::string, ForgedFile::Place>& numbers_;
};

template <class T>
const flatbuffers::Table& table_of(const T& t) {
  return reinterpret_cast<const flatbuffers::Table&>(t);
}

void walk_skeleton(Walker& walker, const schema::Skeleton& s) {
  walker.number<std::uint64_t>("skeleton.id", table_of(s), schema::Skeleton::VT_ID);
  walker.array("skeleton.parents", s.parents());
  walker.array("skeleton.subtree_ends", s.subtree_ends());
  walker.array("skeleton.flags", s.flags());
  walker.array("skeleton.source_nodes", s.source_nodes());
  walker.array("skeleton.rest", s.rest());
  walker.array("skeleton.rest_channels", s.rest_channels());
}

void walk_mesh(Walker& walker, const std::string& path, const schema::Mesh& m) {
  using Mesh = schema::Mesh;
  walker.number<std::uint8_t>(path + "topology", table_of(m), Mesh::VT_TOPOLOGY);
  walker.number<std::uint32_t>(path + "influence_count", table_of(m), Mesh::VT_INFLUENCE_COUNT);
  walker.number<std::uint32_t>(path + "target_count", table_of(m), Mesh::VT_TARGET_COUNT);
  walker.array(path + "positions", m.positions());
  walker.array(path + "normals", m.normals());
  walker.array(path + "tangents", m.tangents());
  walker.array(path + "uvs", m.uvs());
  walker.array(path + "dual_weights", m.dual_weights());
  walker.array(path + "joints", m.joints());
  walker.array(path + "weights", m.weights());
  walker.array(path + "run_ends", m.run_ends());
  walker.array(path + "run_joints", m.run_joints());
  walker.array(path + "run_weights", m.run_weights());
  walker.array(path + "indices", m.indices());
  walker.array(path + "source_vertices", m.source_vertices());
  walker.array(path + "target_positions", m.target_positions());
  walker.array(path + "target_normals", m.target_normals());
  walker.array(path + "target_tangents", m.target_tangents());
}

void walk_part(Walker& walker, const std::string& path, const schema::Part& p) {
  using Part = schema::Part;
  const std::pair<const char*, flatbuffers::voffset_t> fields[] = {{"mesh", Part::VT_MESH},
                                                                   {"skin", Part::VT_SKIN},
                                                                   {"joint", Part::VT_JOINT},
                                                                   {"first_channel", Part::VT_FIRST_CHANNEL},
                                                                   {"channel_count", Part::VT_CHANNEL_COUNT},
                                                                   {"source_node", Part::VT_SOURCE_NODE},
                                                                   {"source_mesh", Part::VT_SOURCE_MESH},
                                                                   {"source_primitive", Part::VT_SOURCE_PRIMITIVE},
                                                                   {"material", Part::VT_MATERIAL}};
  for (const auto& [name, field] : fields) walker.number<std::uint32_t>(path + name, table_of(p), field);
}

void walk_clip(Walker& walker, const std::string& path, const schema::Clip& c) {
  using Clip = schema::Clip;
  walker.number<std::uint64_t>(path + "id", table_of(c), Clip::VT_ID);
  walker.number<std::uint64_t>(path + "skeleton_id", table_of(c), Clip::VT_SKELETON_ID);
  walker.number<std::int32_t>(path + "source_clip", table_of(c), Clip::VT_SOURCE_CLIP);
  walker.number<float>(path + "first_key", table_of(c), Clip::VT_FIRST_KEY);
  walker.number<float>(path + "duration", table_of(c), Clip::VT_DURATION);
  walker.number<float>(path + "wrap_period", table_of(c), Clip::VT_WRAP_PERIOD);
  for (std::size_t g = 0; c.groups() && g < c.groups()->size(); ++g) {
    const schema::ClipGroup& group = *c.groups()->Get(flatbuffers::uoffset_t(g));
    const std::string below = path + "groups[" + std::to_string(g) + "].";
    walker.number<std::uint8_t>(below + "interpolation", table_of(group), schema::ClipGroup::VT_INTERPOLATION);
    walker.array(below + "times", group.times());
    walker.array(below + "buckets", group.buckets());
    walker.array(below + "rotations", group.rotations());
    walker.array(below + "translations", group.translations());
    walker.array(below + "scales", group.scales());
    walker.array(below + "channels", group.channels());
    walker.array(below + "keys", group.keys());
  }
  walker.array(path + "packed", c.packed());
}

void walk(Walker& walker, const schema::Character& c) {
  walker.number<float>("size", table_of(c), schema::Character::VT_SIZE);
  walk_skeleton(walker, *c.skeleton());
  for (std::size_t i = 0; i < c.skins()->size(); ++i) {
    const schema::Skin& skin = *c.skins()->Get(flatbuffers::uoffset_t(i));
    const std::string path = "skins[" + std::to_string(i) + "].";
    walker.number<std::int32_t>(path + "source_skin", table_of(skin), schema::Skin::VT_SOURCE_SKIN);
    walker.array(path + "joints", skin.joints());
    walker.array(path + "inverse_bind_matrices", skin.inverse_bind_matrices());
  }
  for (std::size_t i = 0; i < c.meshes()->size(); ++i)
    walk_mesh(walker, "meshes[" + std::to_string(i) + "].", *c.meshes()->Get(flatbuffers::uoffset_t(i)));
  for (std::size_t i = 0; i < c.parts()->size(); ++i)
    walk_part(walker, "parts[" + std::to_string(i) + "].", *c.parts()->Get(flatbuffers::uoffset_t(i)));
  for (std::size_t i = 0; i < c.clips()->size(); ++i)
    walk_clip(walker, "clips[" + std::to_string(i) + "].", *c.clips()->Get(flatbuffers::uoffset_t(i)));
}

}  // namespace

ForgedFile::ForgedFile(Bytes file) : bytes(std::move(file)) {
  using Header = detail::FileHeader;
  numbers_ = {{"header.magic", {offsetof(Header, magic), 8}},
              {"header.version", {offsetof(Header, version), 4}},
              {"header.flags", {offsetof(Header, flags), 4}},
              {"header.file_size", {offsetof(Header, file_size), 8}},
              {"header.directory_offset", {offsetof(Header, directory_offset), 8}},
              {"header.directory_size", {offsetof(Header, directory_size), 8}},
              {"header.reserved", {offsetof(Header, reserved), 24}}};
  Walker walker(bytes, arrays_, numbers_);
  walk(walker, *schema::GetCharacter(bytes.data() + number<std::uint64_t>("header.directory_offset")));
}

std::vector<std::size_t> ForgedFile::borders() const {
  std::vector<std::size_t> out = {0, sizeof(detail::FileHeader), bytes.size()};
  const auto directory = std::size_t(number<std::uint64_t>("header.directory_offset"));
  out.push_back(directory);
  out.push_back(directory + std::size_t(number<std::uint64_t>("header.directory_size")));
  for (const auto& [name, array] : arrays_) {
    out.push_back(array.offset);
    out.push_back(array.offset + array.count * array.element_size);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

namespace {

/// Turns and moves of joints in three interpolations, and morph weights.
void add_clips(Scene& scene, int mesh_node) {
  Scene::Clip& first = add_clip(scene, "first");
  first.wrap_period = 1.5f;
  add_turn(first, 1, {0, 0.5f, 1}, {0, 40, 90});
  add_track(first, 2, Path::translation, Interpolation::linear, {0, 0.5f, 1}, {0, 1, 0, 0, 1.5f, 0, 0, 1, 0});
  add_track(first, 2, Path::scale, Interpolation::step, {0.25f, 0.75f}, {1, 1, 1, 2, 1, 1});
  Scene::Clip& second = add_clip(scene, "second");
  std::vector<float> spline;
  for (const float degrees : {10.0f, 60.0f}) {
    const Quat q = about_z(degrees);
    spline.insert(spline.end(), {0, 0, 0.1f, 0, q.x, q.y, q.z, q.w, 0, 0, 0.2f, 0});
  }
  add_track(second, 0, Path::rotation, Interpolation::cubicspline, {0.5f, 2}, spline);
  add_track(second, mesh_node, Path::weights, Interpolation::linear, {0.5f, 1, 2}, {0, 0, 1, 0.5f, 0, 1});
}

}  // namespace

Scene every_array_scene() {
  Scene scene = strip();
  scene.clips.clear();
  const int mesh_node = 2;  // of strip()
  scene.nodes[0].rest.rotation = about_z(5);
  Scene::Primitive& skinned = scene.meshes[0].primitives[0];
  for (const Vec3& p : skinned.positions) skinned.uvs.push_back({p.x, p.y}), skinned.dual_weights.push_back(0.5f);
  for (const Vec3 push : {Vec3(0, 0, 0.5f), Vec3(0.25f, 0, 0)}) {
    Scene::MorphTarget& target = skinned.targets.emplace_back();
    target.positions.assign(skinned.positions.size(), push);
    target.normals.assign(skinned.positions.size(), {0, 0.1f, 0});
    target.tangents.assign(skinned.positions.size(), {0, 0.2f, 0});
  }
  scene.meshes[0].weights = {0.25f, 0.5f};
  // A root and a branch of their own, with a plain mesh of two vertices.
  const int root = add_node(scene, "stand", kNone, {{3, 0, 0}, {}, Vec3(1.0f)});
  const int rod = add_node(scene, "rod", root, {{0, 1, 0}, about_z(30), Vec3(1.0f)});
  add_node(scene, "unused", root);
  scene.nodes[rod].mesh = 1;
  Scene::Primitive line;
  line.topology = Topology::lines;
  line.positions = {{0, 0, 0}, {0, 1, 0}};
  line.material = 2;
  scene.meshes.emplace_back().name = "rod";
  scene.meshes[1].primitives.push_back(std::move(line));
  add_clips(scene, mesh_node);
  return scene;
}

Bytes keyframes_file() { return must(write(every_array_scene())); }

Bytes packed_file() {
  Scene scene = every_array_scene();
  scene.clips.clear();
  Scene::Clip& clip = add_clip(scene, "packed");
  std::vector<float> times, turns, places, sizes, weights;
  for (int f = 0; f < 27; ++f) {
    const float t = float(f) / 30, wave = std::sin(0.4f * float(f));
    times.push_back(t);
    const Quat q = quat_axis_angle({1, 0.2f, wave}, wave);
    turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
    places.insert(places.end(), {wave, t, 1});
    sizes.insert(sizes.end(), {1 + 0.1f * wave, 1, 1});
  }
  const auto morphed = std::ranges::find_if(scene.nodes, [&](const Scene::Node& n) {
    return n.mesh != kNone && !scene.meshes[std::size_t(n.mesh)].primitives[0].targets.empty();
  });
  const std::size_t targets = scene.meshes[std::size_t(morphed->mesh)].primitives[0].targets.size();
  for (const float t : times)
    for (std::size_t i = 0; i < targets; ++i) weights.push_back(std::sin(t * float(i + 1)));
  add_track(clip, 0, Path::rotation, Interpolation::linear, times, turns);
  add_track(clip, 1, Path::translation, Interpolation::linear, times, places);
  add_track(clip, 1, Path::scale, Interpolation::linear, times, sizes);
  add_track(clip, 1, Path::rotation, Interpolation::linear, {0, 1}, values_of({about_z(30), about_z(30)}));
  add_track(clip, int(morphed - scene.nodes.begin()), Path::weights, Interpolation::linear, times, weights);
  add_track(clip, 0, Path::translation, Interpolation::step, {0, 0.31f, 0.5f}, {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const Bytes& bytes = must(load_compressed(scene, {.tolerance = 0.001})).loaded.bytes;
  return Bytes(bytes.begin(), bytes.end());  // without room to spare, in which a read past the end would go unseen
}

}  // namespace sinew::test
