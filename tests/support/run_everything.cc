#include "support/run_everything.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/sinew.h"

namespace sinew::test {
namespace {

std::vector<float> interesting_times(const Clip& clip) {
  std::vector<float> times = {clip.first_key - 1, clip.duration + 1, 0};
  for (const ClipGroup& group : clip.groups) {
    const std::size_t step = group.times.size() / 8 + 1;
    for (std::size_t k = 0; k < group.times.size(); k += step) {
      times.push_back(group.times[k]);
      if (k + 1 < group.times.size()) times.push_back(0.5f * group.times[k] + 0.5f * group.times[k + 1]);
    }
  }
  // One after another, so that every segment of packed tracks is met.
  for (int i = 0; clip.packed && i <= 64; ++i)
    times.push_back(clip.first_key + (clip.duration - clip.first_key) * float(i) / 64);
  times.erase(std::remove_if(times.begin(), times.end(), [](float t) { return !std::isfinite(t); }), times.end());
  return times;
}

std::size_t skin_all(const Character& character, const Pose& pose) {
  std::size_t count = 0;
  std::vector<Affine> model(character.skeleton().joint_count());
  run(ModelJob{character.skeleton(), pose, model});
  for (const Part& part : character.parts()) {
    const Skin& skin = character.skins()[part.skin];
    const Mesh& mesh = character.meshes()[part.mesh];
    Palette palette(skin);
    const std::span<Affine> matrices = palette.matrices();
    DualPalette dual(skin);
    run(PaletteJob{skin, model, matrices, &dual});
    Vertices vertices(mesh);
    for (const SkinMethod method : {SkinMethod::linear, SkinMethod::dual_quaternion, SkinMethod::mixed})
      run(SkinJob{.mesh = mesh,
                  .palette = matrices,
                  .output = vertices,
                  .channels = pose.channels().subspan(part.first_channel, part.channel_count),
                  .method = method,
                  .dual = &dual});
    count += vertices.positions().size();
  }
  return count;
}

}  // namespace

std::size_t run_everything(const Character& character) {
  Pose pose(character.skeleton()), other(character.skeleton());
  std::size_t count = skin_all(character, pose);
  for (const Clip& clip : character.clips()) {
    std::vector<std::uint32_t> cursors(clip.groups.size(), 0xffffffffu);
    for (const float time : interesting_times(clip)) {
      run(SampleJob{clip, character.skeleton(), time, pose});
      run(SampleJob{clip, character.skeleton(), time, other, cursors});
      Transform one;
      for (std::uint32_t j = 0; j < character.skeleton().joint_count(); j += 7)
        run(SampleJointJob{clip, character.skeleton(), j, time, one});
    }
    const BlendLayer layers[] = {{pose, 0.25f}, {other, 0.75f}};
    run(BlendJob{character.skeleton(), layers, other});
    count += skin_all(character, other);
  }
  return count;
}

}  // namespace sinew::test
