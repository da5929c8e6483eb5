#include "render_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "output.h"
#include "render/codec.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

std::string ending(const std::string& path) {
  std::string out = fs::path(path).extension().string();
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

}  // namespace

Result<PictureKind> picture_kind(const std::string& path, bool film) {
  const std::string end = ending(path);
  if (end == ".webp") return PictureKind::webp;
  if (end == ".png") {
    if (!film) return PictureKind::png;
    return fail(ErrorCode::bad_argument, "-o", "a PNG holds one picture and no film",
                "give a name that ends in .webp, .gif or .mp4, or leave out --film");
  }
  if (end == ".gif" || end == ".mp4") {
    if (film) return end == ".gif" ? PictureKind::gif : PictureKind::mp4;
    return fail(ErrorCode::bad_argument, "-o", fmt::format("{} is for films", end),
                "add --film, or give a name that ends in .png or .webp");
  }
  return fail(ErrorCode::bad_argument, "-o",
              end.empty() ? "the name has no ending, which says the format" : fmt::format("there is no format {}", end),
              "give a name that ends in .png or .webp, or for films in .webp, .gif or .mp4");
}

Result<void> write_picture(PictureKind kind, const fs::path& path, const render::Picture& picture) {
  const Result<std::vector<std::byte>> bytes =
      kind == PictureKind::png ? render::encode_png(picture) : render::encode_webp(picture);
  if (!bytes) return Unexpected(bytes.error());
  return write_file(path, *bytes);
}

Result<FilmFile> FilmFile::create(PictureKind kind, const fs::path& path, render::FilmSize size) {
  FilmFile made;
  made.path_ = path;
  std::error_code error;
  if (fs::is_directory(path, error)) return fail(ErrorCode::io, "", "is a folder", "give the name of a file inside it");
  if (kind == PictureKind::webp) {
    made.film_ =
        render::make_webp_film([path](std::span<const std::byte> bytes) { return write_file(path, bytes); }, size);
    return made;
  }
  fs::path temporary = path;
  temporary.replace_filename(fmt::format(".sinew-{}.part", ::getpid()));
  // Made here and not by ffmpeg, which would say less of a folder that is not there.
  if (const Result<void> writable = write_file(temporary, {}); !writable) return Unexpected(writable.error());
  made.temporary_ = temporary;
  Result<std::unique_ptr<render::Film>> film = render::make_ffmpeg_film(
      kind == PictureKind::gif ? render::FfmpegFormat::gif : render::FfmpegFormat::mp4, temporary, size);
  if (!film) return Unexpected(film.error());
  made.film_ = std::move(*film);
  return made;
}

FilmFile::FilmFile(FilmFile&& other) noexcept
    : film_(std::move(other.film_)), path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

FilmFile::~FilmFile() {
  film_.reset();  // ffmpeg ends before its file goes
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

Result<void> FilmFile::finish() {
  if (const Result<void> done = film_->finish(); !done) return done;
  if (temporary_.empty()) return {};
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error)
    return fail(ErrorCode::io, "", "cannot be written: " + error.message(), "check the folder and its permissions");
  temporary_.clear();
  return {};
}

Result<void> write_film(PictureKind kind, const fs::path& path, render::FilmSize size, std::size_t frames,
                        const std::function<Result<render::Picture>(std::size_t)>& draw) {
  Result<FilmFile> film = FilmFile::create(kind, path, size);
  if (!film) return Unexpected(film.error());
  Progress progress(frames);
  for (std::size_t i = 0; i < frames; ++i) {
    progress.step(fmt::format("frame {} of {}", i + 1, frames));
    const Result<render::Picture> frame = draw(i);
    if (!frame) return Unexpected(frame.error());
    if (const Result<void> added = film->add(*frame); !added) return added;
  }
  return film->finish();
}

}  // namespace sinew::tool
