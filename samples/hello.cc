// Where is a vertex, half a second into a character's first clip? `hello character.glb`
#include <sinew/import.h>
#include <sinew/sinew.h>
#include <sinew/write.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  auto scene = sinew::import_file(argc > 1 ? argv[1] : "out/demo/biped.glb");
  if (!scene) return std::puts(scene.error().message().c_str()), 1;
  auto bytes = sinew::write(*scene);  // the runtime file: `sinew build` makes it ahead of time, read_file() loads it
  if (!bytes) return std::puts(bytes.error().message().c_str()), 1;
  auto character = sinew::open(*bytes);
  if (!character || character->clips().empty() || character->parts().empty()) return std::puts("no clip or no mesh"), 1;

  auto& skeleton = character->skeleton();
  auto& part = character->parts()[0];
  auto& skin = character->skins()[part.skin];
  auto& mesh = character->meshes()[part.mesh];
  sinew::Pose pose(skeleton);  // all memory is ours, and taken once: from here on nothing allocates
  std::vector<sinew::Affine> model_from_joint(skeleton.joint_count());
  sinew::Palette palette(skin);
  sinew::Vertices vertices(mesh);

  sinew::run(sinew::SampleJob{character->clips()[0], skeleton, 0.5f, pose});
  sinew::run(sinew::ModelJob{skeleton, pose, model_from_joint});
  sinew::run(sinew::PaletteJob{skin, model_from_joint, palette.matrices()});
  auto morphs = pose.channels().subspan(part.first_channel, part.channel_count);
  sinew::run(sinew::SkinJob{mesh, palette.matrices(), vertices, morphs});
  auto p = vertices.positions()[0];
  std::printf("vertex %u is at (%g, %g, %g)\n", mesh.source_vertices[0], p.x, p.y, p.z);
}
