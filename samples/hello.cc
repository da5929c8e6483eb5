// Where is a vertex, half a second into each clip? `hello character.glb`
#include <sinew/import.h>
#include <sinew/sinew.h>
#include <sinew/write.h>

#include <cstdio>

int main(int argc, char** argv) {
  auto scene = sinew::import_file(argc > 1 ? argv[1] : "out/demo/biped.glb");
  if (!scene) return std::puts(scene.error().message().c_str()), 1;
  auto bytes = sinew::write(*scene);  // the runtime file: `sinew build` makes it ahead of time, read_file() loads it
  if (!bytes) return std::puts(bytes.error().message().c_str()), 1;
  auto character = sinew::open(*bytes).value();  // `write` gives what `open` takes
  sinew::Instance instance(character);           // all memory is taken here: from here on nothing allocates or fails
  if (instance.vertices.empty()) return std::puts("it has no mesh"), 1;
  for (const sinew::Clip& clip : character.clips()) {
    sinew::run(sinew::SampleJob{clip, character.skeleton(), 0.5f, instance.pose});
    sinew::run(sinew::InstanceJob{character, instance});
    auto p = instance.vertices[0].positions()[0];
    std::printf("%.*s: vertex 0 is at (%g, %g, %g)\n", int(clip.name.size()), clip.name.data(), p.x, p.y, p.z);
  }
}
