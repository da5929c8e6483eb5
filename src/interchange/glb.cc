#include "interchange/glb.h"

#include <array>
#include <span>

#include "interchange/text.h"

namespace sinew::gltf {

namespace {

constexpr std::uint32_t kJson = 0x4E4F534A, kBinary = 0x004E4942;  // "JSON", "BIN\0"
constexpr std::uint64_t kHeaderBytes = 12, kChunkHeaderBytes = 8;
constexpr const char* kRestore = "restore the file from its source: it was cut or damaged";

template <std::size_t N>
bool read_words(const Source& source, std::uint64_t offset, std::array<std::uint32_t, N>& out) {
  std::array<std::byte, 4 * N> bytes;
  if (!source.read(offset, bytes)) return false;
  for (std::size_t i = 0; i < N; ++i) {
    out[i] = 0;
    for (std::size_t b = 4; b-- > 0;) out[i] = out[i] << 8 | std::uint32_t(bytes[4 * i + b]);  // little-endian
  }
  return true;
}

/// The end of the data that the header states, at most the file's.
bool read_header(Reader& reader, const Source& source, std::uint64_t& end) {
  std::array<std::uint32_t, 3> header;  // magic, version, length
  if (!read_words(source, 0, header)) {
    return reader.fail(ErrorCode::truncated, "header",
                       text("the file has ", source.size(), " bytes; a GLB header has ", kHeaderBytes), kRestore);
  }
  if (header[1] != 2) {
    return reader.fail(ErrorCode::wrong_version, "header.version",
                       text("is ", header[1], "; only GLB version 2 is read"), "convert the file to glTF 2.0");
  }
  end = header[2];
  if (end > source.size()) {
    return reader.fail(ErrorCode::truncated, "header.length",
                       text("says ", end, " bytes, but the file has ", source.size()), kRestore);
  }
  if (end < kHeaderBytes + kChunkHeaderBytes) {
    return reader.fail(ErrorCode::truncated, "header.length",
                       text("says ", end, " bytes, which is too few for a chunk"), kRestore);
  }
  if (end < source.size()) {
    reader.note(Severity::warning, "glb.extra_data", "header.length",
                text("says ", end, " bytes; the ", source.size() - end, " bytes after them are not read"));
  }
  return true;
}

}  // namespace

bool read_container(Reader& reader, const Source& source, Glb& out) {
  std::uint64_t end = 0;
  if (!read_header(reader, source, end)) return false;
  // Chunks of other kinds are legal after the second; nothing is in them for us, and a damaged file may have millions.
  constexpr std::size_t kChunksLookedAt = 64;
  std::size_t number = 0;
  for (std::uint64_t at = kHeaderBytes; at < end && number < kChunksLookedAt; ++number) {
    const std::string where = text("chunks[", number, "]");
    std::array<std::uint32_t, 2> header;  // length, type
    if (end - at < kChunkHeaderBytes || !read_words(source, at, header)) {
      return reader.fail(ErrorCode::truncated, where,
                         text("only ", end - at, " bytes are left for its header of ", kChunkHeaderBytes), kRestore);
    }
    at += kChunkHeaderBytes;
    const Chunk chunk{at, header[0]};
    if (chunk.length > end - at) {
      return reader.fail(ErrorCode::truncated, where,
                         text("says ", chunk.length, " bytes, but ", end - at, " are left"), kRestore);
    }
    if (number == 0) {
      if (header[1] != kJson || chunk.length == 0)
        return reader.fail(
            ErrorCode::syntax, where,
            header[1] == kJson ? "the JSON chunk is empty" : "is not the JSON chunk, which must come first", kRestore);
      out.json = chunk;
    } else if (number == 1 && header[1] == kBinary) {
      out.binary = chunk, out.has_binary = true;
    } else if (header[1] == kJson || header[1] == kBinary) {
      reader.note(
          Severity::warning, "glb.misplaced_chunk", where,
          text("a ", header[1] == kJson ? "second JSON" : "binary", " chunk does not belong here and is not read"));
    }
    if (chunk.length % 4 != 0) {
      reader.note(Severity::warning, "glb.unpadded_chunk", where,
                  text("its length ", chunk.length, " is not a multiple of 4"));
    }
    at += chunk.length;
  }
  return true;
}

}  // namespace sinew::gltf
