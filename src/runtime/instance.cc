#include "sinew/instance.h"

#include <cstddef>

#include "core/contract.h"
#include "sinew/model.h"

namespace sinew {

Instance::Instance(const Character& character)
    : pose(character.skeleton()), model_from_joint(character.skeleton().joint_count()) {
  palettes.reserve(character.skins().size());
  dual_palettes.reserve(character.skins().size());
  for (const Skin& skin : character.skins()) palettes.emplace_back(skin), dual_palettes.emplace_back(skin);
  vertices.reserve(character.parts().size());
  for (const Part& part : character.parts()) vertices.emplace_back(character.meshes()[part.mesh]);
}

void run(const InstanceJob& job) {
  const Character& character = *job.character;
  Instance& instance = *job.instance;
  SINEW_CONTRACT(
      instance.palettes.size() == character.skins().size() && instance.vertices.size() == character.parts().size(),
      "InstanceJob.instance: %zu palettes and %zu parts, the character has %zu skins and %zu parts",
      instance.palettes.size(), instance.vertices.size(), character.skins().size(), character.parts().size());
  run(ModelJob{character.skeleton(), instance.pose, instance.model_from_joint});
  for (std::size_t i = 0; i < instance.palettes.size(); ++i)
    run(PaletteJob{character.skins()[i], instance.model_from_joint, instance.palettes[i].matrices(),
                   job.method == SkinMethod::linear ? nullptr : &instance.dual_palettes[i]});
  for (std::size_t i = 0; i < instance.vertices.size(); ++i) {
    const Part& part = character.parts()[i];
    run(SkinJob{character.meshes()[part.mesh], instance.palettes[part.skin].matrices(), instance.vertices[i],
                instance.pose.channels().subspan(part.first_channel, part.channel_count), job.normal_mode, job.method,
                &instance.dual_palettes[part.skin]});
  }
}

}  // namespace sinew
