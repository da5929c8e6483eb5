#include "sinew/import.h"
namespace sinew {
Result<Scene> import_file(const std::filesystem::path&, const ImportOptions&) { return fail(ErrorCode::unsupported, "", "import"); }
Result<Scene> import_gltf(std::span<const std::byte>, const std::filesystem::path&, const ImportOptions&) { return fail(ErrorCode::unsupported, "", "import"); }
}
