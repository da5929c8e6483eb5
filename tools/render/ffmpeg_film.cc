#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "render/film.h"

extern char** environ;

namespace sinew::render {

namespace {

/// Writing to a program that has ended must be an error here, and not the end of this one.
class IgnoredPipeSignal {
 public:
  IgnoredPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~IgnoredPipeSignal() { std::signal(SIGPIPE, before_); }
  IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
  IgnoredPipeSignal& operator=(const IgnoredPipeSignal&) = delete;

 private:
  void (*before_)(int);
};

std::vector<std::string> arguments(FfmpegFormat format, const std::string& path, FilmSize size) {
  std::vector<std::string> out{"ffmpeg",    "-hide_banner",
                               "-loglevel", "error",
                               "-nostdin",  "-y",
                               "-f",        "rawvideo",
                               "-pix_fmt",  "rgba",
                               "-s",        std::to_string(size.width) + "x" + std::to_string(size.height),
                               "-r",        std::to_string(size.frames_per_second),
                               "-i",        "pipe:0"};
  // A palette a frame: one for the whole film would make ffmpeg hold all of it.
  const std::vector<std::string> gif{"-lavfi",
                                     "split[a][b];[a]palettegen=stats_mode=single[p];"
                                     "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4",
                                     "-loop",
                                     "0",
                                     "-f",
                                     "gif"};
  const std::vector<std::string> mp4{"-c:v",     "libx264",   "-preset",   "medium",     "-crf",   "18",
                                     "-pix_fmt", "yuv420p",   "-movflags", "+faststart", "-flags", "+bitexact",
                                     "-fflags",  "+bitexact", "-f",        "mp4"};
  const std::vector<std::string>& rest = format == FfmpegFormat::gif ? gif : mp4;
  out.insert(out.end(), rest.begin(), rest.end());
  out.push_back("file:" + path);
  return out;
}

class FfmpegFilm final : public Film {
 public:
  FfmpegFilm() = default;
  FfmpegFilm(const FfmpegFilm&) = delete;
  FfmpegFilm& operator=(const FfmpegFilm&) = delete;
  ~FfmpegFilm() override {
    close_pipe();
    if (child_ > 0) ::kill(child_, SIGTERM), ::waitpid(child_, nullptr, 0);
    if (words_) std::fclose(words_);
  }

  Result<void> start(FfmpegFormat format, const std::filesystem::path& path, FilmSize size) {
    int ends[2];
    words_ = std::tmpfile();
    if (!words_ || ::pipe2(ends, O_CLOEXEC) != 0)
      return fail(ErrorCode::io, "", "no pipe to ffmpeg: " + std::generic_category().message(errno), "");
    pipe_ = ends[1];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(words_), STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> words = arguments(format, path.string(), size);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int trouble = ::posix_spawnp(&child_, "ffmpeg", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    if (trouble == 0) return {};
    child_ = 0;
    return fail(ErrorCode::unsupported, "",
                trouble == ENOENT ? "GIF and MP4 are made by ffmpeg, which is not installed"
                                  : "ffmpeg cannot be started: " + std::generic_category().message(trouble),
                "install it (apt-get install ffmpeg), or give .webp");
  }

  Result<void> add(const Picture& picture) override {
    const IgnoredPipeSignal ignored;
    const std::uint8_t* data = picture.pixels.data();
    std::size_t left = picture.pixels.size();
    while (left > 0) {
      const ssize_t count = ::write(pipe_, data, left);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return finish();
      data += count, left -= static_cast<std::size_t>(count);
    }
    return {};
  }

  Result<void> finish() override {
    close_pipe();
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    return fail(ErrorCode::io, "", "ffmpeg has failed: " + last_words(),
                "check the folder and the free space, or give .webp");
  }

 private:
  void close_pipe() {
    if (pipe_ >= 0) ::close(pipe_);
    pipe_ = -1;
  }
  std::string last_words() {
    std::string text(400, '\0');
    std::rewind(words_);
    text.resize(std::fread(text.data(), 1, text.size(), words_));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (char& c : text)
      if (c == '\n') c = ' ';
    return text.empty() ? "without a word" : text;
  }

  int pipe_ = -1;
  pid_t child_ = 0;
  std::FILE* words_ = nullptr;  // what it says on standard error
};

}  // namespace

Result<std::unique_ptr<Film>> make_ffmpeg_film(FfmpegFormat format, const std::filesystem::path& path, FilmSize size) {
  auto film = std::make_unique<FfmpegFilm>();
  if (const Result<void> started = film->start(format, path, size); !started) return Unexpected(started.error());
  return std::unique_ptr<Film>(std::move(film));
}

}  // namespace sinew::render
