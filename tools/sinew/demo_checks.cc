#include "demo_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "costs.h"
#include "demo_laws.h"
#include "text.h"

namespace sinew::tool {

namespace {

Check at_most(double measured, double limit, std::string_view unit) {
  const auto text = [&](double value) { return rounded(value, 2) + (unit.empty() ? "" : " ") + std::string(unit); };
  return {text(measured), text(limit), measured <= limit};
}

Check none_differ(Differences d) {
  return {fmt::format("{} of {} differ", grouped(d.different), grouped(d.compared)), "none",
          d.different == 0 && d.compared > 0};
}

Check count_things(const Character& character) {
  const std::size_t joints = skin_joint_count(character.skeleton()), clips = character.clips().size();
  const std::uint64_t vertices = placed_vertices(character);
  return {fmt::format("{}, {}, {}", counted(joints, "joint"), counted(vertices, "vertex"), counted(clips, "clip")),
          "40 to 60, about 10,000, 8",
          joints >= 40 && joints <= 60 && vertices >= 8000 && vertices <= 12000 && clips == 8};
}

Result<Input> load_path(const std::filesystem::path& path) {
  InputOptions options;
  options.file = path.string();
  return load(options);
}

Check same_file(const Input& built, const std::filesystem::path& path) {
  const Result<Bytes> bytes = read_file(path);
  if (!bytes) return {bytes.error().message(), "it opens", false};
  const bool same = std::equal(bytes->begin(), bytes->end(), built.bytes.begin(), built.bytes.end());
  return {fmt::format("{} bytes{}", grouped(bytes->size()), same ? "" : ", some differ"), "the same", same};
}

/// The file's vertices at its moments against the character's.
Check same_vertices(const Character& character, std::vector<Moment> moments, const std::filesystem::path& path,
                    bool still) {
  const Result<Input> input = load_path(path);
  if (!input) return {input.error().message(), "it imports", false};
  const Character& other = *input->character;
  const std::vector<Moment> others = still ? std::vector<Moment>{Moment{}} : spread_moments(other);
  constexpr double kShare = 1e-6;  // of the character's size
  return at_most(worst_vertex(character, moments, other, others), kShare * character.size(), "m");
}

}  // namespace

Moment posed_moment(const Character& character) {
  constexpr float kInStride = 0.2f;  // seconds
  const Clip* run = character.find_clip("run");
  return run ? Moment{run, kInStride} : Moment{};
}

std::vector<DemoCheck> demo_checks(const Input& built, const DemoFiles& files) {
  const Character& c = *built.character;
  // Single precision keeps about seven digits; each stage may lose some of the last.
  const double tiny = 1e-6 * c.size(), small = 1e-5 * c.size();
  return {
      {"the character", [&] { return count_things(c); }},
      {"weights of each vertex sum to 1", [&] { return at_most(worst_weight_sum(c), 1e-6, ""); }},
      {"bind pose: each palette matrix is the identity", [&] { return at_most(worst_bind_palette(c), 1e-5, ""); }},
      {"bind pose: skinning gives the stored mesh", [&, tiny] { return at_most(worst_bind_vertex(c), tiny, "m"); }},
      {"sampling at a key gives the key, to the bit", [&] { return none_differ(keys_against_samples(c)); }},
      {"forward play equals seeking, to the bit", [&] { return none_differ(cursors_against_seeks(c)); }},
      {"half a cross-fade is half way, each joint",
       [&] { return at_most(worst_half_way(c, "walk", "run"), 0.05, "deg"); }},
      {"loops end where they began", [&] { return at_most(worst_loop_gap(c), 0.1, "deg"); }},
      {"a point on a joint goes where the joint goes",
       [&, small] { return at_most(worst_point_on_joint(c), small, "m"); }},
      {"a rigid motion of the root moves all rigidly",
       [&, small] { return at_most(worst_rigid_motion(c), small, "m"); }},
      {"skinned normals have unit length", [&] { return at_most(worst_normal_length(c), 1e-5, ""); }},
      {"planted feet stay where they are", [&] { return at_most(1000 * worst_foot_drift(c), 1, "mm"); }},
      {"explain adds up to what skin gives", [&, tiny] { return at_most(worst_explained(c), tiny, "m"); }},
      {"the .sinew file is the one in memory", [&] { return same_file(built, files.sinew); }},
      {"the GLB imported again moves the same", [&] { return same_vertices(c, spread_moments(c), files.glb, false); }},
      {"the posed GLB rests in the pose", [&] { return same_vertices(c, {posed_moment(c)}, files.posed, true); }},
      {"the baked GLB holds the skinned vertices",
       [&] { return same_vertices(c, {posed_moment(c)}, files.baked, true); }},
  };
}

}  // namespace sinew::tool
