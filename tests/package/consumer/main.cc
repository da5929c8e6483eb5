// An arm of two joints: the shoulder turned by 90 degrees takes the elbow from (1, 0, 0) to (0, 1, 0).
#include <sinew/config.h>
#include <sinew/sinew.h>
#include <sinew/write.h>

#include <cmath>
#include <cstdio>
#include <vector>

#ifdef CONSUMER_USES_FILES
bool goes_through_a_file(const sinew::Scene& scene);
#endif
#ifdef CONSUMER_USES_VULKAN
bool has_gpu_skinning();
#endif

namespace {

sinew::Scene arm() {
  sinew::Scene scene;
  scene.nodes.resize(3);
  scene.nodes[0].name = "Shoulder";
  scene.nodes[0].children = {1};
  scene.nodes[1].name = "Elbow";
  scene.nodes[1].parent = 0;
  scene.nodes[1].rest.translation = {1, 0, 0};
  scene.nodes[2].name = "Arm";
  scene.nodes[2].mesh = 0;
  scene.nodes[2].skin = 0;
  sinew::Scene::Primitive primitive;
  primitive.topology = sinew::Topology::points;
  primitive.positions = {{1, 0, 0}};
  primitive.influences = {{{{1, 0, 0, 0}}, {{1, 0, 0, 0}}}};
  scene.meshes = {{"Arm", {primitive}, {}, {}}};
  sinew::Affine inverse_bind;
  inverse_bind.rows[0][3] = -1;
  scene.skins = {{"Arm", {0, 1}, {{}, inverse_bind}, sinew::kNone}};
  return scene;
}

}  // namespace

int main() {
  const sinew::Scene scene = arm();
  const auto bytes = sinew::write(scene);
  if (!bytes) return std::puts(bytes.error().message().c_str()), 1;
  const auto character = sinew::open(std::span<const std::byte>(*bytes));
  if (!character) return std::puts(character.error().message().c_str()), 1;
  const sinew::Skeleton& skeleton = character->skeleton();
  const int shoulder = skeleton.find("Shoulder"), elbow = skeleton.find("Elbow");
  if (shoulder < 0 || elbow < 0) return std::puts("a joint is missing"), 1;
  sinew::Pose pose(skeleton);
  sinew::Transform turned = pose.transform(std::size_t(shoulder));
  turned.rotation = sinew::quat_axis_angle({0, 0, 1}, std::acos(0.0f));
  pose.set_transform(std::size_t(shoulder), turned);
  std::vector<sinew::Affine> model(skeleton.joint_count());
  run(sinew::ModelJob{skeleton, pose, model});
  const auto& rows = model[std::size_t(elbow)].rows;
  std::printf("sinew %s: the elbow is at (%g, %g, %g)\n", SINEW_VERSION, rows[0][3], rows[1][3], rows[2][3]);
  const float error = std::fabs(rows[0][3]) + std::fabs(rows[1][3] - 1) + std::fabs(rows[2][3]);
  if (!(error < 1e-6f)) return std::puts("it should be at (0, 1, 0)"), 1;
#ifdef CONSUMER_USES_FILES
  if (!goes_through_a_file(scene)) return std::puts("the scene changed on its way through a file"), 1;
#endif
#ifdef CONSUMER_USES_VULKAN
  if (!has_gpu_skinning()) return std::puts("GPU skinning does not answer"), 1;
#endif
  return 0;
}
