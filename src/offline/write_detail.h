// Parts of `write`: what one step hands to the next. Steps: check, plan, skeleton, influences, meshes, clips, file.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "offline/file_builder.h"
#include "runtime/fault.h"
#include "sinew/scene.h"
#include "sinew/write.h"

namespace sinew::detail {

/// Bytes that writing may take, a share of the scene's own: a few bytes of a forged scene (many nodes with one big
/// mesh, many targets without data) must not ask for gigabytes.
class Budget {
 public:
  explicit Budget(const Scene& scene);
  /// `count` elements of `size` bytes are about to be made.
  Fault take(const DataPath& where, std::uint64_t count, std::uint64_t size, const char* what);

 private:
  std::uint64_t left_ = 0, limit_ = 0;
};

/// A kind of change that meets many vertices or keys: how many, and the first or worst of them. One finding in the end.
struct Tally {
  std::size_t count = 0;
  double worst = -1;
  std::string where, what;
  /// Counts one; true where it is the worst so far, and the caller is to say so in `where` and `what`.
  bool take(double how_bad) {
    ++count;
    if (!(how_bad > worst)) return false;
    worst = how_bad;
    return true;
  }
  void report_to(Report& report, Severity severity, const char* code, const char* what_to_do) const;
};

/// A primitive of the source at one node: a part to be.
struct PlannedPart {
  std::int32_t node = kNone, mesh = kNone, primitive = kNone;
  std::int32_t skin = kNone;  ///< none: moved by its node alone
};

/// What of the scene reaches the runtime.
struct Plan {
  std::vector<bool> shown;  ///< nodes of the chosen scene, or all
  std::vector<PlannedPart> parts;
  std::vector<std::uint32_t> first_channel, channel_count;  ///< morph weights, by node
  std::vector<std::vector<const Scene::Track*>> tracks;     ///< by clip: those that drive something
  std::vector<std::vector<const Scene::Track*>> kept;       ///< by compressed clip: those with keys to store
};

/// The rows of the skeleton, and where each node went.
struct Rows {
  std::vector<std::int32_t> row_of_node;  ///< -1: not in the skeleton
  std::vector<std::int32_t> nodes, parents;
  std::vector<std::uint32_t> subtree_ends;
  std::vector<std::uint8_t> flags;
  std::vector<float> rest, rest_channels;
  std::vector<Affine> model_from_joint;  ///< at rest
  std::uint64_t id = 0;
};

/// A primitive's influences, cleaned: none of weight 0, each joint once, strongest first, of sum 1. Vertex v has those
/// from begins[v] to begins[v + 1]; none: it follows the skin's root.
struct Influences {
  std::vector<std::uint32_t> begins;
  std::vector<std::uint16_t> joints;  ///< of the source skin
  std::vector<float> weights;
  std::uint32_t most = 0;           ///< influences of one vertex
  std::vector<std::uint16_t> used;  ///< joints, ascending
  std::uint32_t user_of_last = 0;   ///< a vertex that uses the greatest of them
  bool unweighted = false;          ///< some vertex has none
};

/// With all influences, and with as many as the option allows; `kept` is empty where that changes nothing.
struct CleanedInfluences {
  Influences all, kept;
  const Influences& stored() const { return kept.begins.empty() ? all : kept; }
};

/// Where each step's findings gather.
struct Tallies {
  Tally zero, sum, negative, dropped, rotations;
  Tally movement;  ///< of vertices that lost influences, at rest
};

struct WriteState {
  const Scene& scene;
  const WriteOptions& options;
  Report& report;
  Budget budget;
  Tallies tallies;
  Plan plan;
  Rows rows;
  FileBuilder file;
};

/// The scene's indices, sizes and hierarchy make sense.
Fault check_scene(const Scene& scene, const WriteOptions& options);
/// One primitive's arrays: equal counts, indices in range, finite numbers.
Fault check_primitive(const DataPath& where, const Scene::Primitive& primitive);

Fault make_plan(WriteState& state);
Fault make_rows(WriteState& state);
Fault add_skeleton(WriteState& state);
/// Cleans a primitive's influences and notes what was changed.
Fault clean_influences(WriteState& state, const DataPath& where, const Scene::Primitive& primitive,
                       CleanedInfluences& out);
/// Skins, meshes, parts, and the size of the rest box.
Fault add_meshes(WriteState& state);
Fault add_clips(WriteState& state);

/// Unit length, or nothing where it has none. What float rounding explains is kept as stored.
std::optional<Quat> unit_rotation(Quat q);
double length(Quat q);

/// A rotation at `where` was normalised.
void note_rotation(WriteState& state, const DataPath& where, double stored_length);

}  // namespace sinew::detail
