#include "sinew/packed.h"

#include <algorithm>

#include "runtime/packed_tracks.h"

namespace sinew {
namespace {

using namespace detail;

constexpr std::uint64_t kNumberBits = 32, kCodeBits = 4, kByteBits = 8, kRotationConstantBits = 64;

/// Frames of a segment from its first knot to its last one.
std::uint32_t segment_length(const PackedTracks& tracks, std::size_t segment) {
  const std::uint32_t longest = std::uint32_t{1} << tracks.segment_shift;
  return std::min(longest, tracks.frame_count - 1 - std::uint32_t(segment << tracks.segment_shift));
}

/// Tracks of a section that move. `code`: place of the first one's first code in a segment's.
void add_moving(const PackedTracks& tracks, std::size_t section, std::size_t code, std::vector<PackedTrack>& out) {
  const PackedSection& in = tracks.sections[section];
  const std::size_t components = section_components(section), segments = tracks.segments.size() - 1;
  for (std::size_t t = 0; t < in.targets.size(); ++t) {
    PackedTrack track{kSectionPaths[section], in.targets[t], true};
    // A rotation's mean is one number; steps and widths of knots are a byte each.
    track.parameter_bits = (section == 0 ? 1 : components) * kNumberBits + 2 * components * kByteBits;
    track.code_bits = segments * components * kCodeBits;
    for (std::size_t c = 0; c < components; ++c) {
      const std::size_t at = t / kLanes * components * kLanes + c * kLanes + t % kLanes;
      track.knot_bits += std::uint64_t(in.knot_widths[at]) * (segments + 1);
      const std::size_t place = code + t * components + c;
      for (std::size_t s = 0; s < segments; ++s) {
        const std::uint8_t both = PackedBits(tracks, s).codes[place / 2];
        track.residual_bits +=
            std::uint64_t(kResidualBits[both >> (4 * (place % 2)) & 15]) * (segment_length(tracks, s) - 1);
      }
    }
    out.push_back(track);
  }
}

}  // namespace

PackedSummary packed_summary(const Clip& clip) {
  PackedSummary out;
  if (!clip.packed) return out;
  const PackedTracks& tracks = *clip.packed;
  out.frame_count = tracks.frame_count;
  out.first_frame = tracks.first, out.seconds_per_frame = tracks.seconds_per_frame;
  out.segment_frames = std::uint32_t{1} << tracks.segment_shift;
  std::size_t code = 0;
  for (std::size_t s = 0; s < kSections; ++s) {
    const PackedSection& section = tracks.sections[s];
    if (tracks.moves()) add_moving(tracks, s, code, out.tracks);
    code += section.targets.size() * section_components(s);
    for (const std::uint32_t target : section.constant_targets)
      out.tracks.push_back(
          {kSectionPaths[s], target, false, s == 0 ? kRotationConstantBits : section_components(s) * kNumberBits});
  }
  out.shared_bits = clip.packed_bytes.size() * kByteBits;
  for (const PackedTrack& track : out.tracks) out.shared_bits -= track.bits();
  out.table_bytes = sizeof tracks + tracks.table_bytes;
  out.pose_bytes = tracks.base.size() * sizeof(float);
  return out;
}

PackedFrames packed_frames(const Clip& clip, float time) {
  PackedFrames out;
  if (!clip.packed || !clip.packed->moves()) return out;
  const PackedTracks& tracks = *clip.packed;
  const PackedPlace at = place(tracks, time);
  out.before = std::uint32_t(at.segment << tracks.segment_shift) + at.row;
  out.after = out.before + 1;
  const auto frame_time = [&](std::uint32_t f) {
    return f + 1 == tracks.frame_count ? tracks.last_time : float(tracks.first + double(f) * tracks.seconds_per_frame);
  };
  out.time_before = frame_time(out.before), out.time_after = frame_time(out.after);
  out.factor = at.factor;
  return out;
}

}  // namespace sinew
