#include <algorithm>
#include <cmath>
#include <string>

#include "offline/clip_times.h"
#include "offline/compress_maths.h"
#include "runtime/fault.h"
#include "sinew/compress.h"
#include "sinew/instance.h"
#include "sinew/sample.h"

namespace sinew {
namespace {

using namespace detail;

/// Model matrices of a pose in double precision, so that what is measured is the pose.
std::vector<Affined> place(const Skeleton& skeleton, const Pose& pose) {
  std::vector<Affined> out(skeleton.joint_count());
  for (std::size_t j = 0; j < out.size(); ++j) {
    const Affined local = widened(pose.transform(j));
    out[j] = skeleton.parents[j] < 0 ? local : out[std::size_t(skeleton.parents[j])] * local;
  }
  return out;
}

/// One of the two characters, posed.
struct Side {
  const Character& character;
  const Clip& clip;
  Instance instance;
  std::vector<Affined> model;
  Side(const Character& c, const Clip& k) : character(c), clip(k), instance(c) {}
  void pose(float time) {
    run(SampleJob{clip, character.skeleton(), time, instance.pose});
    model = place(character.skeleton(), instance.pose);
    if (!character.parts().empty()) run(InstanceJob{character, instance, NormalMode::fast});
  }
};

void measure_joints(const Side& a, const Side& b, double shell, double& worst, ClipError& at) {
  for (std::size_t j = 0; j < a.model.size(); ++j) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Vec3d p;
      p[axis] = shell;
      const double error = length(transform(a.model[j], p) - transform(b.model[j], p));
      if (!(error <= worst)) worst = error, at.joint = std::int32_t(j), at.part = at.vertex = kNone;
    }
  }
}

void measure_vertices(const Side& a, const Side& b, double& worst, ClipError& at) {
  for (std::size_t part = 0; part < a.instance.vertices.size(); ++part) {
    const auto wanted = a.instance.vertices[part].positions(), reached = b.instance.vertices[part].positions();
    for (std::size_t v = 0; v < wanted.size(); ++v) {
      const double x = double(wanted[v].x) - double(reached[v].x), y = double(wanted[v].y) - double(reached[v].y),
                   z = double(wanted[v].z) - double(reached[v].z);
      const double error = std::sqrt(x * x + y * y + z * z);
      if (!(error <= worst)) worst = error, at.joint = kNone, at.part = std::int32_t(part), at.vertex = std::int32_t(v);
    }
  }
}

bool alike(const Character& a, const Character& b) {
  if (a.skeleton().id != b.skeleton().id || a.parts().size() != b.parts().size()) return false;
  for (std::size_t p = 0; p < a.parts().size(); ++p)
    if (a.meshes()[a.parts()[p].mesh].vertex_count() != b.meshes()[b.parts()[p].mesh].vertex_count()) return false;
  return true;
}

}  // namespace

Result<ClipError> measure_error(const Character& source, const Clip& source_clip, const Character& tested,
                                const Clip& tested_clip, double shell) {
  if (!alike(source, tested))
    return fail(ErrorCode::inconsistent, {}, "the two characters have not the same skeleton and meshes",
                "build the file again from its source");
  ClipError out;
  out.times = times_to_watch(source_clip);
  Side a(source, source_clip), b(tested, tested_clip);
  out.largest = -1;
  for (const float time : out.times) {
    a.pose(time), b.pose(time);
    double worst = -1;
    ClipError at;
    measure_joints(a, b, shell, worst, at);
    measure_vertices(a, b, worst, at);
    out.errors.push_back(float(std::max(worst, 0.0)));
    if (!(worst <= out.largest))
      out.largest = worst, out.seconds = time, out.joint = at.joint, out.part = at.part, out.vertex = at.vertex;
  }
  out.largest = std::max(out.largest, 0.0);
  if (!out.errors.empty()) {
    std::vector<float> sorted = out.errors;
    const auto at = sorted.begin() + std::ptrdiff_t((sorted.size() - 1) * 99 / 100);
    std::nth_element(sorted.begin(), at, sorted.end());
    out.percentile_99 = double(*at);
  }
  return out;
}

}  // namespace sinew
