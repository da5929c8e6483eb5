#include "sinew/write.h"
namespace sinew {
Result<Bytes> write(const Scene&, const WriteOptions&, Report*) { return fail(ErrorCode::unsupported, "", "write"); }
}
