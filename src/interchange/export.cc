#include "sinew/export.h"

#include "interchange/export_check.h"
#include "interchange/export_new.h"

namespace sinew {

Result<Bytes> export_glb(const Scene& scene, Report* report) {
  if (auto error = glb::check_scene(scene)) return Unexpected(std::move(*error));
  return glb::new_document(scene, report);
}
Result<Bytes> export_posed_glb(const Scene&, const Character&, const Pose&) { return fail(ErrorCode::unsupported, "", "export"); }
Result<Bytes> export_baked_glb(const Scene&, const Character&, const Pose&) { return fail(ErrorCode::unsupported, "", "export"); }
}
