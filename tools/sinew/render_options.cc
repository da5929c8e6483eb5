#include "render_options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "method.h"
#include "render/codec.h"
#include "text.h"

namespace sinew::tool {

namespace {

/// The number that `text` begins with, which is cut off.
template <class T>
std::optional<T> take_number(std::string_view& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

Result<void> read_size(const RenderOptions& options, RenderPlan& plan) {
  constexpr std::uint32_t kLeast = 16, kMost = 8192;
  const std::uint32_t usual = options.sheet ? 240 : options.compare ? 600 : 800;
  plan.width = plan.height = usual;
  if (options.size.empty()) return {};
  std::string_view rest = options.size;
  const auto width = take_number<std::uint32_t>(rest);
  const bool crossed = rest.starts_with('x');
  if (crossed) rest.remove_prefix(1);
  const auto height = take_number<std::uint32_t>(rest);
  if (!width || !crossed || !height || !rest.empty() || *width < kLeast || *height < kLeast || *width > kMost ||
      *height > kMost)
    return fail(ErrorCode::bad_argument, "--size", fmt::format("{} is no size", in_quotes(options.size)),
                fmt::format("give WxH, each from {} to {}, for example 800x600", kLeast, kMost));
  plan.width = *width, plan.height = *height;
  return {};
}

Result<void> read_camera(const RenderOptions& options, RenderPlan& plan) {
  constexpr std::pair<std::string_view, render::Direction> kNamed[] = {
      {"front", {0, 8}}, {"side", {90, 8}}, {"three-quarter", {35, 12}}, {"back", {180, 8}}};
  const std::string_view wanted = options.camera.empty() ? "three-quarter" : std::string_view(options.camera);
  for (const auto& [name, direction] : kNamed)
    if (name == wanted) {
      plan.direction = direction;
      return {};
    }
  std::string_view rest = wanted;
  const auto azimuth = take_number<float>(rest);
  const bool comma = rest.starts_with(',');
  if (comma) rest.remove_prefix(1);
  const auto elevation = take_number<float>(rest);
  if (!azimuth || !comma || !elevation || !rest.empty() || !std::isfinite(*azimuth) || !(std::abs(*elevation) <= 90))
    return fail(ErrorCode::bad_argument, "--camera", fmt::format("there is no camera {}", in_quotes(wanted)),
                "give front, side, three-quarter, back, or AZIMUTH,ELEVATION in degrees, for example 20,15");
  plan.direction = {std::fmod(*azimuth, 360.0f), *elevation};
  return {};
}

float linear(int byte) {
  const float c = static_cast<float>(byte) / 255;
  return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

Result<void> read_background(const RenderOptions& options, RenderPlan& plan) {
  plan.ground = !options.no_ground && !options.focus;
  const std::string& text = options.background;
  if (text.empty()) {
    plan.bottom = Vec4(0.46f, 0.48f, 0.51f, 1), plan.top = Vec4(0.27f, 0.32f, 0.39f, 1);
    return {};
  }
  if (text == "transparent") {
    plan.ground = false;
    return {};
  }
  std::string_view digits = text;
  if (digits.starts_with('#')) digits.remove_prefix(1);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 6 || error != std::errc() || end != digits.data() + digits.size())
    return fail(ErrorCode::bad_argument, "--background", fmt::format("{} is no colour", in_quotes(text)),
                "give six digits in base 16, for example ffffff, or transparent");
  plan.bottom = plan.top = Vec4(linear(value >> 16), linear(value >> 8 & 0xFF), linear(value & 0xFF), 1);
  return {};
}

Result<void> check_together(const RenderOptions& options) {
  const auto misuse = [](const char* where, const char* what, const char* advice) {
    return fail(ErrorCode::bad_argument, where, what, advice);
  };
  if (options.film && options.sheet) return misuse("--sheet", "a sheet is one picture", "leave out --film");
  if (options.compare && options.sheet)
    return misuse("--sheet", "a comparison is no sheet", "leave out --sheet or --compare");
  if (options.heat && !options.compare)
    return misuse("--heat", "needs something to compare with", "add --compare OTHER");
  if (options.heat && options.weights)
    return misuse("--heat", "heat and weights are both colours of the surface", "leave out one of them");
  if (options.film && !options.moment.clip)
    return misuse("--film", "the rest pose does not move", "add --clip NAME_OR_INDEX");
  if (options.film && options.moment.time)
    return misuse("--time", "a film shows all times", "leave out --time or --film");
  if (options.sheet && options.moment.time)
    return misuse("--time", "a sheet has its own times", "give their number: --times N");
  if (options.times && !options.sheet) return misuse("--times", "is for sheets", "add --sheet, or leave it out");
  if (options.fps && !options.film) return misuse("--fps", "is for films", "add --film, or leave it out");
  if (options.fps && !(*options.fps > 0 && *options.fps <= 240))
    return misuse("--fps", "is not a rate from above 0 to 240", "for example --fps 30");
  return check(options.moment);
}

}  // namespace

Result<RenderPlan> understand(const RenderOptions& options) {
  RenderPlan plan;
  if (const Result<void> good = check_together(options); !good) return Unexpected(good.error());
  const Result<PictureKind> kind = picture_kind(options.output, options.film);
  if (!kind) return Unexpected(kind.error());
  plan.kind = *kind;
  plan.fps = options.fps.value_or(plan.fps);
  for (const auto read : {read_size, read_camera, read_background})
    if (const Result<void> good = read(options, plan); !good) return Unexpected(good.error());
  if (plan.kind == PictureKind::mp4 && (plan.width % 2 || plan.height % 2))
    return fail(ErrorCode::bad_argument, "--size", "MP4 needs an even width and height",
                fmt::format("for example --size {}x{}", plan.width + plan.width % 2, plan.height + plan.height % 2));
  return plan;
}

void add_render_options(CLI::App& verb, RenderOptions& options) {
  add_file(verb, options.input);
  verb.add_option("-o,--output", options.output, "File to write: .png or .webp; with --film .webp, .gif or .mp4")
      ->type_name("OUT")
      ->required();
  add_moment_options(verb, options.moment);
  add_method_options(verb, options.input);
  verb.add_flag("--film", options.film, "The whole clip as a film");
  verb.add_option("--fps", options.fps, "Frames a second of a film (default: 30)")->type_name("N");
  verb.add_flag("--sheet", options.sheet, "All clips (or the one of --clip) at several times, in one picture");
  verb.add_option("--times", options.times, "Times a clip of a sheet (default: 6)")
      ->type_name("N")
      ->check(CLI::Range(1, 32).description(""));
  verb.add_option("--compare", options.compare, "Another file beside it, on one time line")->type_name("OTHER");
  verb.add_flag("--heat", options.heat, "With --compare: a third picture, coloured by how far vertices are apart");
  verb.add_option("--size", options.size,
                  "Pixels (default: 800x800); of a sheet each cell (240x240), of a comparison each side (600x600)")
      ->type_name("WxH");
  verb.add_option("--camera", options.camera,
                  "front, side, three-quarter (default), back, or degrees round it and above it")
      ->type_name("NAME|AZIMUTH,ELEVATION");
  verb.add_option("--focus", options.focus, "Show what this joint moves, by name or node, from near by")
      ->type_name("JOINT");
  verb.add_option("--background", options.background, "Colour as RRGGBB, or transparent, which has no ground")
      ->type_name("COLOUR");
  verb.add_flag("--no-ground", options.no_ground, "Leave out the ground");
  verb.add_flag("--skeleton", options.skeleton, "Draw joints and bones over it");
  verb.add_flag("--wireframe", options.wireframe, "Draw the triangles' edges");
  verb.add_option("--weights", options.weights,
                  "Colours by a joint's weights, by name or node: blue 0, red 1; all: a colour a joint")
      ->type_name("JOINT|all");
  verb.add_flag("--json", options.json, "Print what was written as JSON");
  add_import_options(verb, options.input);
}

}  // namespace sinew::tool
