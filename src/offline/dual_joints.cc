#include "sinew/dual_joints.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "sinew/model.h"
#include "sinew/palette.h"
#include "sinew/pose.h"
#include "sinew/sample.h"

namespace sinew {
namespace {

/// A pair of neighbours in a skin, with the bones that a turn between them may be about: directions in mesh space, where a
/// skinning matrix's rotation is measured from.
struct TwistPair {
  std::size_t skin, entry, parent;  // entries
  std::vector<Vec3> axes;
  JointTwist found;
};

std::optional<Vec3> bind_place(const Skin& skin, std::size_t entry) {
  const std::optional<Affine> mesh_from_joint = inverse(skin.inverse_bind_matrices[entry]);
  if (!mesh_from_joint) return std::nullopt;
  return transform_point(*mesh_from_joint, Vec3(0));
}

std::vector<TwistPair> find_pairs(const Character& character) {
  std::vector<TwistPair> out;
  for (std::size_t s = 0; s < character.skins().size(); ++s) {
    const Skin& skin = character.skins()[s];
    const std::size_t begin = out.size();
    std::vector<std::vector<Vec3>> children(skin.joints.size());
    std::vector<std::optional<Vec3>> places;
    for (std::size_t i = 0; i < skin.joints.size(); ++i) places.push_back(bind_place(skin, i));
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      if (skin.parents[i] == kNone) continue;
      const auto parent = std::size_t(skin.parents[i]);
      TwistPair& pair = out.emplace_back(TwistPair{s, i, parent, {}, {skin.joints[i], skin.joints[parent]}});
      if (!places[i] || !places[parent]) continue;
      const Vec3 bone = *places[i] - *places[parent];
      if (!(glm::length(bone) > 0)) continue;
      pair.axes.push_back(glm::normalize(bone));
      children[parent].push_back(bone);
    }
    for (std::size_t p = begin; p < out.size(); ++p) {
      // Its own bone leads to the child that is farthest.
      const std::vector<Vec3>& bones = children[out[p].entry];
      const auto longest = std::ranges::max_element(bones, {}, [](const Vec3& v) { return glm::length(v); });
      if (longest != bones.end()) out[p].axes.push_back(glm::normalize(*longest));
    }
  }
  return out;
}

class TwistMeter {
 public:
  explicit TwistMeter(const Character& character)
      : character_(character),
        pairs_(find_pairs(character)),
        pose_(character.skeleton()),
        model_(character.skeleton().joint_count()) {
    for (const Skin& skin : character.skins()) palettes_.emplace_back(skin), duals_.emplace_back(skin);
  }

  void look(std::int32_t clip, float seconds) {
    if (clip != kNone) run(SampleJob{character_.clips()[std::size_t(clip)], character_.skeleton(), seconds, pose_});
    run(ModelJob{character_.skeleton(), pose_, model_});
    for (std::size_t s = 0; s < palettes_.size(); ++s)
      run(PaletteJob{character_.skins()[s], model_, palettes_[s].matrices(), &duals_[s]});
    for (TwistPair& pair : pairs_) {
      const auto& rigid = duals_[pair.skin].rigid();
      const Quat turn = conjugate(rigid[pair.parent].real) * rigid[pair.entry].real;
      for (const Vec3& axis : pair.axes) {
        const float along = turn.x * axis.x + turn.y * axis.y + turn.z * axis.z;
        const float radians = 2 * std::atan2(std::fabs(along), std::fabs(turn.w));
        if (radians > pair.found.radians)
          pair.found.radians = radians, pair.found.clip = clip, pair.found.seconds = seconds;
      }
    }
  }

  std::vector<JointTwist> found() const {
    std::vector<JointTwist> out;
    for (const TwistPair& pair : pairs_) out.push_back(pair.found);
    return out;
  }

 private:
  const Character& character_;
  std::vector<TwistPair> pairs_;
  Pose pose_;
  std::vector<Affine> model_;
  std::vector<Palette> palettes_;
  std::vector<DualPalette> duals_;
};

/// A name's words in small letters: cut where letters end and where a capital begins, sides and numbers left out.
std::vector<std::string> words_of(std::string_view name) {
  static const std::set<std::string> kSides = {"left", "right", "l", "r"};
  std::vector<std::string> out;
  std::string word;
  const auto finish = [&] {
    if (!word.empty() && !kSides.contains(word)) out.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool letter = std::isalpha(c) != 0;
    if (!letter || (std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0))
      finish();
    if (letter) word += char(std::tolower(c));
  }
  finish();
  return out;
}

}  // namespace

std::vector<JointTwist> measure_twist(const Character& character) {
  constexpr float kRate = 30;
  constexpr std::size_t kMostTimes = 100'000;
  TwistMeter meter(character);
  meter.look(kNone, 0);
  for (std::size_t c = 0; c < character.clips().size(); ++c) {
    const Clip& clip = character.clips()[c];
    const float span = clip.duration - clip.first_key;
    const auto steps = std::size_t(std::clamp(std::ceil(span * kRate), 1.0f, float(kMostTimes)));
    for (std::size_t i = 0; i <= steps; ++i)
      meter.look(std::int32_t(c), clip.first_key + span * (float(i) / float(steps)));
  }
  return meter.found();
}

bool is_arm_name(std::string_view name) {
  static const std::set<std::string> kNames = {"hand",  "wrist", "forearm",  "lowerarm",
                                               "elbow", "arm",   "upperarm", "shoulder"};
  // The last words are the joint's own; what comes before is a character's or a program's.
  const std::vector<std::string> words = words_of(name);
  if (words.empty()) return false;
  if (kNames.contains(words.back())) return true;
  return words.size() > 1 && kNames.contains(words[words.size() - 2] + words.back());
}

std::vector<std::int32_t> choose_dual_joints(const Character& character, float radians) {
  const Skeleton& skeleton = character.skeleton();
  std::set<std::int32_t> nodes;
  const auto add = [&](std::uint32_t joint) {
    if (skeleton.source_nodes[joint] != kNone) nodes.insert(skeleton.source_nodes[joint]);
  };
  for (const JointTwist& twist : measure_twist(character))
    if (twist.radians >= radians) add(twist.joint), add(twist.parent);
  for (const Skin& skin : character.skins())
    for (const std::uint32_t joint : skin.joints)
      if (is_arm_name(skeleton.names[joint])) add(joint);
  return {nodes.begin(), nodes.end()};
}

}  // namespace sinew
