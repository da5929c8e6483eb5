// What links the libraries behind import: JSON, Draco, meshoptimizer.
#include <sinew/export.h>
#include <sinew/import.h>

bool goes_through_a_file(const sinew::Scene& scene) {
  const auto bytes = sinew::export_glb(scene);
  if (!bytes) return false;
  const auto again = sinew::import_gltf(std::span<const std::byte>(*bytes));
  return again && again->nodes.size() == scene.nodes.size() && again->nodes[1].rest == scene.nodes[1].rest;
}
