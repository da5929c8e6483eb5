// What all steps of an import share: the first error, the findings, the memory limit, and typed members of JSON
// objects.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interchange/json_tree.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew::gltf {

/// The three texts of a finding.
struct Told {
  std::string where, what, what_to_do;
};

/// The error is sticky: once one is recorded, members read as their fallback and every step is to return.
class Reader {
 public:
  explicit Reader(std::uint64_t memory_limit) : memory_limit_(memory_limit) {}

  bool ok() const { return !error_; }
  /// Records the first error. Returns false, for `return reader.fail(...)`.
  bool fail(ErrorCode code, std::string where, std::string what, std::string what_to_do = {});
  bool fail(Error error);
  /// The error, which is then no longer recorded: for faults that matter only if something reads what has them.
  std::optional<Error> take_error() { return std::exchange(error_, std::nullopt); }

  /// Counts `count` findings of one code. `tell` makes the texts, and is called only for the first of a code and
  /// for one that is worse (`badness`) than all before.
  template <class Tell>
  void note(Severity severity, const char* code, std::size_t count, double badness, Tell tell) {
    if (Finding* finding = counted(severity, code, count, badness)) {
      Told told = tell();
      finding->where = std::move(told.where), finding->what = std::move(told.what);
      finding->what_to_do = std::move(told.what_to_do);
    }
  }
  void note(Severity severity, const char* code, std::string where, std::string what, std::string what_to_do = {}) {
    note(severity, code, 1, 0, [&] { return Told{std::move(where), std::move(what), std::move(what_to_do)}; });
  }
  Report& findings() { return findings_; }

  /// Asks for memory beyond the file; false (error `too_large`, saying what it was for) where the limit is passed.
  bool take(std::uint64_t bytes, std::string_view where, std::uint64_t count, std::string_view of_what);
  void raise_limit(std::uint64_t bytes) { memory_limit_ += bytes; }
  std::uint64_t memory_left() const { return memory_limit_ - memory_taken_; }

  // Members of objects. A missing member gives the fallback; a wrong type, range or length is an error.
  Json array(Json parent, std::string_view key);
  Json object(Json parent, std::string_view key);
  /// Whole number, not negative, also one written as 1.0; at most 2^53.
  std::uint64_t size(Json parent, std::string_view key, std::uint64_t fallback);
  /// The same of a value that is there; false where it is no such number.
  bool whole(Json value, std::uint64_t& out);
  /// As `size`, but an error where it is missing.
  std::uint64_t needed_size(Json parent, std::string_view key);
  /// An index below `count`, or kNone where missing. `kind` names what it points to: `node`.
  std::int32_t index(Json parent, std::string_view key, std::size_t count, const char* kind);
  std::int32_t index(Json value, std::size_t count, const char* kind);
  bool boolean(Json parent, std::string_view key, bool fallback);
  std::string string(Json parent, std::string_view key);
  /// Exactly `out.size()` finite numbers; `out` keeps its content where the member is missing. True where it was there.
  bool numbers(Json parent, std::string_view key, std::span<float> out);
  /// Any number of finite numbers.
  std::vector<float> number_list(Json parent, std::string_view key);

 private:
  Finding* counted(Severity severity, const char* code, std::size_t count, double badness);
  bool bad_type(Json value, const char* expected);
  bool missing(Json parent, std::string_view key, const char* expected);
  bool number(Json value, float& out);

  std::optional<Error> error_;
  Report findings_;
  std::vector<double> badness_;  ///< of each finding
  std::uint64_t memory_limit_, memory_taken_ = 0;
};

}  // namespace sinew::gltf
