// Why poses are blended, and matrices never: the mean of two rotation matrices is no rotation. It shrinks what it
// moves.
//
// A joint is at 0 degrees in one pose, and at 90 (then 180) in another. Half way between, by both ways.
#include <cmath>
#include <cstdio>

#include "sinew/sinew.h"
#include "sinew/write.h"

namespace {

int failures = 0;

/// How much the matrix scales the plane it turns: the square root of the factor on its areas.
float plane_scale(const sinew::Affine& m) {
  return std::sqrt(std::abs(m.rows[0][0] * m.rows[1][1] - m.rows[0][1] * m.rows[1][0]));
}

sinew::Affine mean(const sinew::Affine& a, const sinew::Affine& b) {
  sinew::Affine out;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) out.rows[row][column] = (a.rows[row][column] + b.rows[row][column]) / 2;
  return out;
}

void expect(const char* what, float computed, float known) {
  const bool good = std::abs(computed - known) <= 1e-4f;
  std::printf("  %-4s %-34s scales the plane by %.4f  known %g\n", good ? "ok" : "OFF", what, computed, known);
  failures += !good;
}

void compare(const sinew::Skeleton& skeleton, float degrees, float known) {
  sinew::Pose still(skeleton), turned(skeleton), blended(skeleton);
  sinew::Transform t = turned.transform(0);
  t.rotation = sinew::quat_axis_angle(sinew::Vec3(0, 0, 1), degrees / 57.29577951f);
  turned.set_transform(0, t);
  const sinew::BlendLayer layers[] = {{still, 0.5f}, {turned, 0.5f}};
  sinew::run(sinew::BlendJob{skeleton, layers, blended});

  sinew::Affine first[1], second[1], result[1];
  sinew::run(sinew::ModelJob{skeleton, still, first});
  sinew::run(sinew::ModelJob{skeleton, turned, second});
  sinew::run(sinew::ModelJob{skeleton, blended, result});
  std::printf("0 and %g degrees\n", degrees);
  expect("the mean of the two matrices", plane_scale(mean(first[0], second[0])), known);
  expect("the matrix of the blended pose", plane_scale(result[0]), 1);
}

}  // namespace

int main() {
  sinew::Scene scene;
  scene.nodes.resize(1);
  scene.nodes[0].name = "Joint";
  sinew::Scene::Primitive point;
  point.topology = sinew::Topology::points;
  point.positions = {sinew::Vec3(0)};
  scene.meshes.push_back({"point", {point}, {}, {}});
  scene.nodes[0].mesh = 0;
  const auto bytes = sinew::write(scene);
  if (!bytes) return std::printf("%s\n", bytes.error().message().c_str()), 1;
  const auto character = sinew::open(*bytes);
  if (!character) return std::printf("%s\n", character.error().message().c_str()), 1;

  compare(character->skeleton(), 90, std::sqrt(0.5f));
  compare(character->skeleton(), 180, 0);
  std::printf(
      "\nsinew has no function that blends matrices: BlendJob takes poses, and a test makes sure that nothing else "
      "compiles.\n");
  return failures == 0 ? 0 : 1;
}
