// Files of pictures and films, by the name's ending; whole or not there at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "render/film.h"
#include "render/picture.h"
#include "sinew/result.h"

namespace sinew::tool {

enum class PictureKind { png, webp, gif, mp4 };
/// By the ending of the name. Error `bad_argument`: another one, or one that does not go with a still or a film.
Result<PictureKind> picture_kind(const std::string& path, bool film);

Result<void> write_picture(PictureKind kind, const std::filesystem::path& path, const render::Picture& picture);

/// A film on its way to a file: written to a temporary name in the same folder, renamed at the end.
class FilmFile {
 public:
  static Result<FilmFile> create(PictureKind kind, const std::filesystem::path& path, render::FilmSize size);
  FilmFile(FilmFile&& other) noexcept;
  FilmFile& operator=(FilmFile&&) = delete;
  ~FilmFile();
  Result<void> add(const render::Picture& picture) { return film_->add(picture); }
  Result<void> finish();

 private:
  FilmFile() = default;
  std::unique_ptr<render::Film> film_;
  std::filesystem::path path_, temporary_;
};

/// A film of so many frames, drawn one after another, and a bar meanwhile.
Result<void> write_film(PictureKind kind, const std::filesystem::path& path, render::FilmSize size, std::size_t frames,
                        const std::function<Result<render::Picture>(std::size_t)>& draw);

}  // namespace sinew::tool
