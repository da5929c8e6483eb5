#include "sinew/scene.h"

#include <algorithm>
#include <utility>

namespace sinew {

ClipSpan span_of(const Scene::Clip& clip) {
  ClipSpan span;
  bool any = false;
  for (const auto& times : clip.times) {
    if (times.empty()) continue;
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    span.first_key = any ? std::min(span.first_key, *first) : *first;
    span.last_key = any ? std::max(span.last_key, *last) : *last;
    any = true;
  }
  return span;
}

void trim(Scene::Clip& clip) {
  const float first = span_of(clip).first_key;
  for (auto& times : clip.times)
    for (float& time : times) time -= first;
}

std::vector<Affine> rest_model_matrices(const Scene& scene) {
  std::vector<Affine> model(scene.nodes.size());
  std::vector<std::int32_t> stack;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].parent == kNone) stack.push_back(std::int32_t(i));
    while (!stack.empty()) {
      const Scene::Node& node = scene.nodes[stack.back()];
      Affine& m = model[stack.back()];
      stack.pop_back();
      m = to_affine(node.rest);
      if (node.parent != kNone) m = model[node.parent] * m;
      stack.insert(stack.end(), node.children.begin(), node.children.end());
    }
  }
  return model;
}

Result<std::vector<Affine>> inverse_bind_matrices(std::span<const Affine> model_from_joint,
                                                  const Affine& model_from_mesh) {
  std::vector<Affine> out(model_from_joint.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto joint_from_model = inverse(model_from_joint[i]);
    if (!joint_from_model) {
      return fail(ErrorCode::bad_value, "joints[" + std::to_string(i) + "]",
                  "the bind matrix is singular or not finite", "give every joint a bind pose whose scale is not zero");
    }
    out[i] = *joint_from_model * model_from_mesh;
  }
  return out;
}

}  // namespace sinew
