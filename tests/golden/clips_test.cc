// Real clips: the promise kept, and bytes beside those of the peer (../shared/clips).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "support/compressed.h"
#include "support/files.h"

namespace sinew {
namespace {

using test::must;

struct Packed {
  std::size_t bytes = 0;
  double error = 0, tolerance = 0;
};
Packed pack_clip(const std::filesystem::path& path) {
  const test::RawClip raw = test::read_raw_clip(path);
  CompressOptions options;
  options.tolerance = 0.01 * raw.unit;
  options.shell = 3 * raw.unit;
  const Compression made = must(compress(raw.scene, options));
  EXPECT_TRUE(made.clips[0].keyframes.tracks.empty()) << path;
  return {made.clips[0].packed.size(), made.errors[0].largest, options.tolerance};
}

TEST(BenchmarkClips, AllKeepTheToleranceInFewerBytesThanThePeer) {
  const auto shared = test::shared_dir();
  if (!shared) GTEST_SKIP() << test::kNoShared;
  const auto peers = test::read_peer_bytes(*shared / "clips/acl.tsv");
  ASSERT_EQ(peers.size(), 33u);
  double sum_of_logs = 0, bytes = 0, peer_bytes = 0;
  for (const test::PeerBytes& peer : peers) {
    const Packed packed = pack_clip(*shared / "clips" / (peer.clip + ".rawclip"));
    EXPECT_LE(packed.error, packed.tolerance) << peer.clip;
    EXPECT_GT(packed.error, 0.2 * packed.tolerance * double(packed.bytes > 400)) << peer.clip << ": room left unused";
    sum_of_logs += std::log(double(packed.bytes) / peer.bytes);
    bytes += double(packed.bytes), peer_bytes += peer.bytes;
  }
  const double mean = std::exp(sum_of_logs / double(peers.size())), total = bytes / peer_bytes;
  std::printf("bytes over the peer's: geometric mean %.3f, total %.3f\n", mean, total);
  EXPECT_LE(mean, 0.58);
  EXPECT_LE(total, 0.75);
}

}  // namespace
}  // namespace sinew
