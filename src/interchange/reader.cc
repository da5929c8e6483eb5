#include "interchange/reader.h"

#include <cmath>
#include <limits>

#include "interchange/text.h"

namespace sinew::gltf {

namespace {

std::string member_path(Json parent, std::string_view key) {
  std::string path = parent.path();
  return path.empty() ? shortened(key) : path + "." + shortened(key);
}

}  // namespace

bool Reader::fail(ErrorCode code, std::string where, std::string what, std::string what_to_do) {
  return fail(Error{code, std::move(where), std::move(what), std::move(what_to_do)});
}

bool Reader::fail(Error error) {
  if (!error_) error_ = std::move(error);
  return false;
}

Finding* Reader::counted(Severity severity, const char* code, std::size_t count, double badness) {
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    if (findings_[i].code != code) continue;
    findings_[i].count += count;
    if (!(badness > badness_[i])) return nullptr;
    badness_[i] = badness;
    return &findings_[i];
  }
  badness_.push_back(badness);
  findings_.push_back({severity, code, {}, {}, {}, count});
  return &findings_.back();
}

bool Reader::take(std::uint64_t bytes, std::string_view where, std::uint64_t count, std::string_view of_what) {
  if (bytes <= memory_left()) {
    memory_taken_ += bytes;
    return true;
  }
  return fail(ErrorCode::too_large, std::string(where),
              text("has ", count, " ", of_what, ", which need ", bytes, " bytes of memory where ", memory_left(),
                   " of ", memory_limit_, " are left"),
              "raise the memory limit if the file is to be trusted");
}

bool Reader::bad_type(Json value, const char* expected) {
  return fail(ErrorCode::bad_type, value.path(), text("is ", to_string(value.type()), " where ", expected, " belongs"),
              "write the file again by a program that follows glTF 2.0");
}

bool Reader::missing(Json parent, std::string_view key, const char* expected) {
  return fail(ErrorCode::bad_value, member_path(parent, key), text("is missing; ", expected, " is required here"),
              "write the file again by a program that follows glTF 2.0");
}

Json Reader::array(Json parent, std::string_view key) {
  const Json value = parent[key];
  if (!value || value.type() == JsonType::array) return value;
  bad_type(value, "an array");
  return {};
}

Json Reader::object(Json parent, std::string_view key) {
  const Json value = parent[key];
  if (!value || value.type() == JsonType::object) return value;
  bad_type(value, "an object");
  return {};
}

bool Reader::whole(Json value, std::uint64_t& out) {
  constexpr double kLargest = 9007199254740992.0;  // 2^53: beyond it a double no longer holds every whole number
  if (value.type() == JsonType::integer && value.integer() >= 0 && value.integer() <= std::int64_t(kLargest)) {
    out = std::uint64_t(value.integer());
    return true;
  }
  if (!value.is_number()) return bad_type(value, "a whole number");
  const double number = value.number();
  if (!(number >= 0 && number <= kLargest) || number != std::floor(number)) {
    return fail(ErrorCode::bad_value, value.path(), text("is ", number, "; a whole number from 0 to 2^53 is required"));
  }
  out = std::uint64_t(number);
  return true;
}

std::uint64_t Reader::size(Json parent, std::string_view key, std::uint64_t fallback) {
  const Json value = parent[key];
  std::uint64_t out = fallback;
  if (value && !whole(value, out)) return fallback;
  return out;
}

std::uint64_t Reader::needed_size(Json parent, std::string_view key) {
  std::uint64_t out = 0;
  const Json value = parent[key];
  if (!value)
    missing(parent, key, "a whole number");
  else
    whole(value, out);
  return out;
}

std::int32_t Reader::index(Json value, std::size_t count, const char* kind) {
  std::uint64_t out = 0;
  if (!whole(value, out)) return kNone;
  if (out >= count) {
    fail(ErrorCode::out_of_range, value.path(),
         text("names ", kind, " ", out, ", but the file has ", count, " of them"),
         text("point it to one that is there, or remove it"));
    return kNone;
  }
  return std::int32_t(out);
}

std::int32_t Reader::index(Json parent, std::string_view key, std::size_t count, const char* kind) {
  const Json value = parent[key];
  return value ? index(value, count, kind) : kNone;
}

bool Reader::boolean(Json parent, std::string_view key, bool fallback) {
  const Json value = parent[key];
  if (!value) return fallback;
  if (value.type() == JsonType::boolean) return value.boolean();
  bad_type(value, "a boolean");
  return fallback;
}

std::string Reader::string(Json parent, std::string_view key) {
  const Json value = parent[key];
  if (!value) return {};
  if (value.type() == JsonType::string) return std::string(value.string());
  bad_type(value, "a string");
  return {};
}

bool Reader::number(Json value, float& out) {
  if (!value.is_number()) return bad_type(value, "a number");
  out = float(value.number());
  if (!std::isfinite(out))
    return fail(ErrorCode::bad_value, value.path(), text("is ", value.number(), ", which no float can hold"));
  return true;
}

bool Reader::numbers(Json parent, std::string_view key, std::span<float> out) {
  const Json list = array(parent, key);
  if (!list) return false;
  if (list.size() != out.size()) {
    return fail(ErrorCode::bad_value, list.path(),
                text("has ", list.size(), " numbers; ", out.size(), " are required"));
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!number(list[i], out[i])) return false;
  return true;
}

std::vector<float> Reader::number_list(Json parent, std::string_view key) {
  const Json list = array(parent, key);
  std::vector<float> out(list.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!number(list[i], out[i])) return {};
  return out;
}

}  // namespace sinew::gltf
