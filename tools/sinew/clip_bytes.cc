// Which joints a clip's bytes are for.
#include <algorithm>
#include <map>

#include "clip_plot.h"
#include "costs.h"
#include "sinew/packed.h"
#include "text.h"

namespace sinew::tool {

namespace {

/// Rows by joint, then by node with morph weights.
class ByJoint {
 public:
  explicit ByJoint(const Character& character) : character_(character) {}

  JointBytes& of(Path path, std::uint32_t target) {
    if (path != Path::weights) return row(target, false, character_.skeleton().names[target]);
    for (const Part& part : character_.parts())
      if (target >= part.first_channel && target - part.first_channel < part.channel_count)
        return row(part.joint, true, character_.skeleton().names[part.joint]);
    return row(0, true, "");
  }
  std::vector<JointBytes> sorted() const {
    std::vector<JointBytes> out;
    for (const auto& [key, bytes] : rows_) out.push_back(bytes);
    std::ranges::stable_sort(out, [](const JointBytes& a, const JointBytes& b) { return a.sum() > b.sum(); });
    return out;
  }

 private:
  JointBytes& row(std::uint32_t joint, bool weights, std::string_view name) {
    JointBytes& out = rows_[{joint, weights}];
    if (out.name.empty())
      out.name = weights ? "morph weights, " + shown(name) : name.empty() ? "(no name)" : shown(name);
    return out;
  }
  const Character& character_;
  std::map<std::pair<std::uint32_t, bool>, JointBytes> rows_;
};

void add_keys_of(const ClipGroup& group, ByJoint& out) {
  const std::size_t rows = group.times.size() * (group.interpolation == Interpolation::cubicspline ? 3 : 1);
  const auto add = [&](Path path, std::span<const std::uint32_t> targets) {
    // The target's number, and its values.
    const double bytes = static_cast<double>(sizeof(float) * (1 + rows * component_count(path, 1)));
    for (const std::uint32_t target : targets) out.of(path, target).keys += bytes;
  };
  add(Path::rotation, group.rotations), add(Path::translation, group.translations);
  add(Path::scale, group.scales), add(Path::weights, group.channels);
}

}  // namespace

std::vector<JointBytes> bytes_by_joint(const Character& character, const Clip& clip) {
  ByJoint rows(character);
  constexpr double kByteBits = 8;
  for (const PackedTrack& track : packed_summary(clip).tracks) {
    JointBytes& joint = rows.of(track.path, track.target);
    joint.parameters += static_cast<double>(track.parameter_bits) / kByteBits;
    joint.knots += static_cast<double>(track.knot_bits) / kByteBits;
    joint.widths += static_cast<double>(track.code_bits) / kByteBits;
    joint.residuals += static_cast<double>(track.residual_bits) / kByteBits;
  }
  for (const ClipGroup& group : clip.groups) add_keys_of(group, rows);
  std::vector<JointBytes> out = rows.sorted();
  JointBytes shared{"shared"};
  shared.parameters = static_cast<double>(clip_bytes(clip));
  for (const JointBytes& joint : out) shared.parameters -= joint.sum();
  out.push_back(shared);
  return out;
}

}  // namespace sinew::tool
