// Film: pictures one after another into a file: animated WebP (libwebpmux), GIF and MP4 (ffmpeg run as a program).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "render/picture.h"
#include "sinew/result.h"

namespace sinew::render {

/// Takes one frame at a time and keeps none, but for what WebP has of them encoded.
class Film {
 public:
  virtual ~Film() = default;
  /// Of the size that was said.
  virtual Result<void> add(const Picture& picture) = 0;
  /// Without it nothing usable is left.
  virtual Result<void> finish() = 0;
};

struct FilmSize {
  std::uint32_t width = 0, height = 0;
  double frames_per_second = 30;
};

/// Frames last whole milliseconds, spread so that the film keeps its rate; it repeats. `write` gets the file.
std::unique_ptr<Film> make_webp_film(std::function<Result<void>(std::span<const std::byte>)> write, FilmSize size);

enum class FfmpegFormat { gif, mp4 };
/// Starts ffmpeg, which writes to `path`. MP4: H.264, yuv420p, for which both sizes must be even. Errors: ffmpeg is not
/// there (what to install), or ends early (its last words).
Result<std::unique_ptr<Film>> make_ffmpeg_film(FfmpegFormat format, const std::filesystem::path& path, FilmSize size);

}  // namespace sinew::render
