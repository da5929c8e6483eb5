#include "program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "support/raw_gltf.h"

namespace sinew::test {

namespace {

std::string text_of(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_bytes(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// In the child: standard output and error go to files, then the program takes over.
[[noreturn]] void become(const std::filesystem::path& folder, std::vector<char*> argv, const std::string& locale,
                         const std::filesystem::path& out, const std::filesystem::path& err) {
  const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int to_err = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const bool ready = to_out >= 0 && to_err >= 0 && ::dup2(to_out, STDOUT_FILENO) >= 0 &&
                     ::dup2(to_err, STDERR_FILENO) >= 0 && ::chdir(folder.c_str()) == 0 &&
                     ::setenv("LC_ALL", locale.c_str(), 1) == 0;
  if (ready) ::execv(SINEW_TOOL, argv.data());
  ::_exit(127);
}

}  // namespace

std::size_t Ran::error_lines() const { return static_cast<std::size_t>(std::count(err.begin(), err.end(), '\n')); }

Ran sinew(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const std::string& locale) {
  const TemporaryFolder captured;
  const std::filesystem::path out = captured.path() / "out", err = captured.path() / "err";
  std::vector<std::string> words{"sinew"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) become(folder, argv, locale, out, err);
  if (child < 0) throw std::runtime_error("fork failed");
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  Ran ran;
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ran.out = text_of(out);
  ran.err = text_of(err);
  return ran;
}

std::filesystem::path write_glb(const std::filesystem::path& folder, const std::string& name, const Scene& scene) {
  const std::filesystem::path path = folder / (name + ".glb");
  write_bytes(path, to_raw(scene).glb());
  return path;
}

std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace sinew::test
