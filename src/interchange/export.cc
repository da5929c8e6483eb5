#include "sinew/export.h"
namespace sinew {
Result<Bytes> export_glb(const Scene&, Report*) { return fail(ErrorCode::unsupported, "", "export"); }
Result<Bytes> export_posed_glb(const Scene&, const Character&, const Pose&) { return fail(ErrorCode::unsupported, "", "export"); }
Result<Bytes> export_baked_glb(const Scene&, const Character&, const Pose&) { return fail(ErrorCode::unsupported, "", "export"); }
}
