// Which joint is meant, and what to say where none is.
#include <algorithm>
#include <charconv>
#include <utility>

#include "offline/twist_detail.h"

namespace sinew::detail {
namespace {

constexpr std::size_t kNamesTold = 5;

std::string lowered(std::string_view name) {
  constexpr std::size_t kLongest = 64;  // names of a broken file may have any length
  std::string out(name.substr(0, kLongest));
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return out;
}

/// Changes of a letter that make one name of the other (Levenshtein). A name that holds the other whole is near.
std::size_t name_distance(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return std::max(a.size(), b.size());
  if (a.find(b) != a.npos || b.find(a) != b.npos) return 1;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::vector<bool> joints_of_skins(const Scene& scene) {
  std::vector<bool> out(scene.nodes.size());
  for (const Scene::Skin& skin : scene.skins)
    for (const std::int32_t joint : skin.joints) out[std::size_t(joint)] = true;
  return out;
}

std::string near_names(const Scene& scene, const std::vector<bool>& is_joint, const std::string& text) {
  const std::string wanted = lowered(text);
  std::vector<std::pair<std::size_t, std::size_t>> nearest;  // distance, node
  for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    if (is_joint[i] && !scene.nodes[i].name.empty())
      nearest.emplace_back(name_distance(lowered(scene.nodes[i].name), wanted), i);
  std::sort(nearest.begin(), nearest.end());
  if (nearest.size() > kNamesTold) nearest.resize(kNamesTold);
  std::string out;
  for (const auto& [distance, node] : nearest)
    out += (out.empty() ? "the nearest names are \"" : ", \"") + scene.nodes[node].name + "\"";
  return out.empty() ? "its joints have no names: give the index of a node" : out;
}

}  // namespace

Result<std::int32_t> find_joint(const Scene& scene, const std::string& text) {
  if (scene.skins.empty())
    return fail(ErrorCode::bad_argument, "joint", "the file has no skin, so no node is a joint",
                "give a file with a skinned mesh");
  const std::vector<bool> is_joint = joints_of_skins(scene);
  std::vector<std::int32_t> named, joints;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].name != text) continue;
    named.push_back(std::int32_t(i));
    if (is_joint[i]) joints.push_back(std::int32_t(i));
  }
  if (joints.size() == 1) return joints[0];
  if (joints.size() > 1)
    return fail(
        ErrorCode::bad_argument, "joint",
        "nodes " + std::to_string(joints[0]) + " and " + std::to_string(joints[1]) + " are both named \"" + text + "\"",
        "give the index of the node");
  std::int32_t index = named.empty() ? kNone : named[0];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (named.empty() && (error != std::errc() || end != text.data() + text.size())) index = kNone;
  if (index < 0 || std::size_t(index) >= scene.nodes.size())
    return fail(ErrorCode::bad_argument, "joint", "no node has the name or index \"" + text + "\"",
                near_names(scene, is_joint, text));
  if (!is_joint[std::size_t(index)])
    return fail(
        ErrorCode::bad_argument, "joint",
        "node " + std::to_string(index) + " \"" + scene.nodes[std::size_t(index)].name + "\" is a joint of no skin",
        near_names(scene, is_joint, text));
  return index;
}

}  // namespace sinew::detail
