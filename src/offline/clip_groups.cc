#include "offline/clip_groups.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "runtime/file_format.h"

namespace sinew::detail {
namespace {

using Counts = std::array<std::size_t, 4>;  // tracks, by Path

std::size_t row_floats_of(const Counts& counts) {
  std::size_t floats = 0;
  for (const Path path : Group::kSections) floats += component_count(path, 1) * padded(counts[std::size_t(path)]);
  return floats;
}

/// Of a group's keys, times and buckets.
double bytes_of(std::size_t keys, const Counts& counts) {
  return double(keys) * double(sizeof(float) * row_floats_of(counts) + 2 * sizeof(float));
}

Counts counts_of(const Group& group) {
  Counts out{};
  for (const Path path : Group::kSections) out[std::size_t(path)] = group.lanes[std::size_t(path)].size();
  return out;
}

Counts operator+(Counts a, const Counts& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

bool has_jump(const std::vector<float>& times) { return std::adjacent_find(times.begin(), times.end()) != times.end(); }

/// A group that others may join.
struct Host {
  std::size_t group;  // the first of its members
  Interpolation interpolation;
  std::set<float> times;
  Counts counts;
  double apart;  // bytes of its members, had they stayed apart
  std::vector<std::size_t> members;
};

/// What may join, and how.
struct Guest {
  std::size_t group;
  Counts counts;
  bool constant;  // its times matter at the ends alone, where they are the clip's
};

/// Calls `visit` with each time that the host would get.
template <class Visit>
void new_times(const Host& host, const Guest& guest, const std::vector<float>& times, Visit visit) {
  if (guest.constant) {
    if (times.front() < *host.times.begin()) visit(times.front());
    if (times.back() > *host.times.rbegin()) visit(times.back());
    return;
  }
  for (float t : times)
    if (!host.times.contains(t)) visit(t);
}

/// Bytes of both as one, or nothing where that is too many.
std::optional<double> united_bytes(const Host& host, const Guest& guest, const Group& group) {
  // Less padding and fewer searches are worth an eighth. Judged by what all members took apart, so that it does not add up.
  const double limit = 1.125 * (host.apart + bytes_of(group.times.size(), guest.counts));
  const Counts counts = host.counts + guest.counts;
  std::size_t keys = host.times.size();
  if (bytes_of(guest.constant ? keys : std::max(keys, group.times.size()), counts) > limit) return {};
  new_times(host, guest, group.times, [&](float) { ++keys; });
  const double bytes = bytes_of(keys, counts);
  if (bytes > limit) return {};
  return bytes;
}

/// Those with most keys first, constant ones last: few tracks of few keys find a place in what is there.
std::vector<Guest> in_order(const std::vector<Group>& groups) {
  std::vector<Guest> guests;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    bool constant = true;
    for (const auto& lanes : groups[g].lanes) constant = constant && std::ranges::all_of(lanes, &Lane::constant);
    guests.push_back({g, counts_of(groups[g]), constant});
  }
  std::stable_sort(guests.begin(), guests.end(), [&](const Guest& a, const Guest& b) {
    if (a.constant != b.constant) return b.constant;
    return groups[a.group].times.size() > groups[b.group].times.size();
  });
  return guests;
}

/// The host that `guest` makes least larger, or null.
Host* find_host(std::vector<Host>& hosts, const Guest& guest, const Group& group) {
  constexpr std::size_t kTried = 16;  // the last ones: earlier ones are full, and the work stays in proportion
  Host* best = nullptr;
  double least = 0;
  for (std::size_t h = hosts.size() > kTried ? hosts.size() - kTried : 0; h < hosts.size(); ++h) {
    if (hosts[h].interpolation != group.interpolation && !guest.constant) continue;
    const std::optional<double> bytes = united_bytes(hosts[h], guest, group);
    if (!bytes) continue;
    const double growth = *bytes - bytes_of(hosts[h].times.size(), hosts[h].counts);
    if (!best || growth < least) best = &hosts[h], least = growth;
  }
  return best;
}

Group united(const Host& host, std::vector<Group>& groups) {
  Group out = std::move(groups[host.members[0]]);
  if (host.members.size() == 1) return out;
  out.united = true;
  out.times.assign(host.times.begin(), host.times.end());
  for (std::size_t m = 1; m < host.members.size(); ++m)
    for (std::size_t path = 0; path < std::size(out.lanes); ++path)
      std::ranges::copy(groups[host.members[m]].lanes[path], std::back_inserter(out.lanes[path]));
  for (auto& lanes : out.lanes)
    std::sort(lanes.begin(), lanes.end(), [](const Lane& a, const Lane& b) { return a.target < b.target; });
  return out;
}

}  // namespace

bool is_constant(const Scene::Track& track, std::size_t key_count) {
  if (key_count <= 1) return true;
  // Each value equals the one a key before it.
  const std::ptrdiff_t width = std::ptrdiff_t(track.values.size() / key_count);
  return track.interpolation != Interpolation::cubicspline &&
         std::equal(track.values.begin() + width, track.values.end(), track.values.begin());
}

std::size_t Group::row_floats() const { return row_floats_of(counts_of(*this)); }

KeyPlace place_key(const Group& group, const Lane& lane, std::size_t group_key) {
  if (!group.united) return {group_key, 0};
  const std::vector<float>& times = *lane.times;
  const float t = group.times[group_key];
  if (t <= times.front()) return {0, 0};
  const std::size_t key = std::size_t(std::upper_bound(times.begin(), times.end(), t) - times.begin()) - 1;
  if (times[key] == t || key + 1 == times.size() || lane.track->interpolation == Interpolation::step) return {key, 0};
  return {key, (double(t) - times[key]) / (double(times[key + 1]) - times[key])};
}

void unite_groups(std::vector<Group>& groups) {
  std::vector<Host> hosts;
  std::vector<std::pair<std::size_t, Group>> out;  // with the place of its first member
  for (const Guest& guest : in_order(groups)) {
    const Group& group = groups[guest.group];
    const double bytes = bytes_of(group.times.size(), guest.counts);
    if (group.interpolation == Interpolation::cubicspline || has_jump(group.times)) {
      out.emplace_back(guest.group, std::move(groups[guest.group]));
    } else if (Host* host = find_host(hosts, guest, group)) {
      std::vector<float> added;
      new_times(*host, guest, group.times, [&](float t) { added.push_back(t); });
      host->times.insert(added.begin(), added.end());
      host->counts = host->counts + guest.counts;
      host->apart += bytes;
      host->members.push_back(guest.group);
    } else {
      hosts.push_back({guest.group,
                       group.interpolation,
                       {group.times.begin(), group.times.end()},
                       guest.counts,
                       bytes,
                       {guest.group}});
    }
  }
  // In the order of the tracks, so that a clip in which nothing was united stays as it is.
  for (const Host& host : hosts) out.emplace_back(host.group, united(host, groups));
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  groups.clear();
  for (auto& entry : out) groups.push_back(std::move(entry.second));
}

}  // namespace sinew::detail
