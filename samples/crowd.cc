// A crowd on all cores: jobs share nothing, so the order of a character's jobs is one function, and oneTBB calls it for
// many characters at once. Prints characters a second by threads, and checks that threads change no bit of the result.
// `crowd [characters] [frames]`
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "biped/biped.h"
#include "sinew/sinew.h"
#include "sinew/write.h"

namespace {

/// What one character of the crowd needs: all memory is taken here.
struct Member {
  Member(const sinew::Character& character, std::size_t number)
      : phase(0.37f * float(number)),
        walking(0.5f + 0.5f * std::sin(0.1f * float(number))),
        walk(character.skeleton()),
        run(character.skeleton()),
        pose(character.skeleton()),
        model_from_joint(character.skeleton().joint_count()),
        palette(character.skins()[0]) {}

  float phase, walking;  // seconds; share of the walk, the rest runs
  sinew::Pose walk, run, pose;
  std::vector<sinew::Affine> model_from_joint;
  sinew::Palette palette;
};

struct Crowd {
  const sinew::Character& character;
  const sinew::Clip& walk;
  const sinew::Clip& run;
  std::vector<Member> members;

  /// The whole of a character's frame: reads what all share, and writes what is its own.
  void animate(Member& member, float seconds) const {
    const sinew::Skeleton& skeleton = character.skeleton();
    const auto sample = [&](const sinew::Clip& clip, sinew::Pose& pose) {
      sinew::run(sinew::SampleJob{clip, skeleton, std::fmod(seconds + member.phase, clip.duration), pose});
    };
    sample(walk, member.walk);
    sample(run, member.run);
    const sinew::BlendLayer layers[] = {{member.walk, member.walking}, {member.run, 1 - member.walking}};
    sinew::run(sinew::BlendJob{skeleton, layers, member.pose});
    sinew::run(sinew::ModelJob{skeleton, member.pose, member.model_from_joint});
    sinew::run(sinew::PaletteJob{character.skins()[0], member.model_from_joint, member.palette.matrices()});
  }

  /// Frames of all characters, on that many threads; characters a second.
  double play(int frames, int threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::size_t(threads));
    tbb::task_arena arena(threads);
    const auto start = std::chrono::steady_clock::now();
    for (int frame = 0; frame < frames; ++frame) {
      arena.execute([&] {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, members.size(), 16), [&](const auto& range) {
          for (std::size_t i = range.begin(); i != range.end(); ++i) animate(members[i], float(frame) / 60);
        });
      });
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return double(frames) * double(members.size()) / seconds.count();
  }

  /// All palettes one after another; forgets them, so that the next run has to write them anew.
  std::vector<sinew::Affine> take_palettes() {
    std::vector<sinew::Affine> all;
    for (Member& member : members) {
      const auto matrices = member.palette.matrices();
      all.insert(all.end(), matrices.begin(), matrices.end());
      std::fill(matrices.begin(), matrices.end(), sinew::Affine{});
    }
    return all;
  }
};

bool same_bits(const std::vector<sinew::Affine>& a, const std::vector<sinew::Affine>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(sinew::Affine)) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 400, frames = argc > 2 ? std::atoi(argv[2]) : 10;
  if (count < 1 || frames < 1) return std::puts("usage: crowd [characters] [frames], both at least 1"), 2;
  const auto bytes = sinew::write(sinew::make_biped()).value();
  const auto character = sinew::open(bytes).value();
  Crowd crowd{character, *character.find_clip("walk"), *character.find_clip("run"), {}};
  crowd.members.reserve(std::size_t(count));
  for (int i = 0; i < count; ++i) crowd.members.emplace_back(character, std::size_t(i));

  std::printf("%d characters of %zu joints: two clips, a blend, model matrices and a palette each; %d frames\n", count,
              character.skeleton().joint_count(), frames);
  // One after another, without oneTBB: what all others must equal.
  for (Member& member : crowd.members) crowd.animate(member, float(frames - 1) / 60);
  const std::vector<sinew::Affine> expected = crowd.take_palettes();
  bool all_same = true;
  double one = 0;
  for (int threads = 1; threads <= tbb::this_task_arena::max_concurrency(); ++threads) {
    const double rate = crowd.play(frames, threads);
    const bool same = same_bits(crowd.take_palettes(), expected);
    if (threads == 1) one = rate;
    std::printf("  %2d thread%s %9.0f characters/s  %5.2f times one  %s\n", threads, threads == 1 ? " " : "s", rate,
                rate / one, same ? "every bit the same" : "OFF: bits differ");
    all_same &= same;
  }
  return all_same ? 0 : 1;
}
