#include "render_shots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.h"

namespace sinew::tool {

namespace {

constexpr std::size_t kLooks = 25;  // at a clip, to find its camera

/// For a label: `0.25 s`.
std::string seconds(float time) { return fmt::format("{:.2f} s", time); }

Board sheet(std::vector<Actor>& actors, const RenderOptions& options, const RenderPlan& plan, const Clip* only) {
  Board board;
  board.columns = static_cast<std::size_t>(options.times.value_or(6));
  Actor& actor = actors[0];
  for (const Clip& clip : actor.character().clips()) {
    if (only && only != &clip) continue;
    board.viewpoints.push_back(new_viewpoint(actors[0], plan));
    for (const float time : spread_times(clip, kLooks))
      actor.pose({&clip, time}), board.viewpoints.back().look_at(actor);
    const std::vector<float> shown_times = spread_times(clip, board.columns);
    for (std::size_t i = 0; i < board.columns; ++i) {
      const float time = shown_times[std::min(i, shown_times.size() - 1)];
      Cell cell{0, board.viewpoints.size() - 1, &clip, time};
      if (i == 0) cell.title = clip.name.empty() ? fmt::format("clip {}", clip.source_clip) : std::string(clip.name);
      cell.note = seconds(time);
      actor.pose({&clip, time}), board.viewpoints.back().look_at(actor);
      board.cells.push_back(std::move(cell));
    }
  }
  return board;
}

}  // namespace

std::vector<float> spread_times(const Clip& clip, std::size_t count) {
  std::vector<float> out;
  const float length = clip.duration - clip.first_key;
  if (!(length > 0)) count = 1;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(clip.first_key + (count > 1 ? length * static_cast<float>(i) / static_cast<float>(count - 1) : 0));
  return out;
}

Result<std::vector<float>> film_times(const Clip& clip, double fps) {
  constexpr double kMost = 100000;
  const double frames = std::max(1.0, std::round(double(clip.duration - clip.first_key) * fps));
  if (!(frames <= kMost))
    return fail(ErrorCode::bad_argument, "--film",
                fmt::format("the clip lasts {} s, which is {} frames", number(clip.duration - clip.first_key), frames),
                fmt::format("the limit is {} frames: give a smaller --fps", kMost));
  std::vector<float> out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(frames); ++i)
    out.push_back(clip.first_key + static_cast<float>(static_cast<double>(i) / fps));
  return out;
}

Viewpoint new_viewpoint(const Actor& actor, const RenderPlan& plan) {
  render::Direction direction = plan.direction;
  if (actor.materials().faces_back) direction.azimuth += 180;
  return {render::Framing(direction, static_cast<float>(plan.width) / static_cast<float>(plan.height))};
}

render::Look look_of(const Viewpoint& viewpoint, const RenderPlan& plan) {
  render::Look look;
  look.camera = viewpoint.framing.camera();
  look.bounds = viewpoint.framing.bounds();
  look.size = viewpoint.size;
  look.ground_y = viewpoint.ground();
  look.ground = plan.ground;
  // Over the left shoulder of who looks, so that the side that is seen is lit whatever the camera.
  const Vec3 aside = look.camera.right * -0.62f - look.camera.forward * 0.5f;
  const Vec3 to_light = Vec3(aside.x, 0, aside.z) + Vec3(0, 1.05f, 0);
  look.to_light = to_light / glm::length(to_light);
  look.bottom = plan.bottom, look.top = plan.top;
  return look;
}

void write_labels(render::Picture& picture, std::string_view title, std::string_view note, const RenderPlan& plan,
                  int scale) {
  const float light = plan.bottom.w < 1 ? 1.0f : plan.top.y;
  const render::Rgba ink = light > 0.18f ? render::Rgba{25, 28, 34, 255} : render::Rgba{235, 237, 240, 255};
  const int pad = 5 * scale, room = static_cast<int>(picture.width) - 2 * pad;
  while (render::text_width(title, scale) > room && title.find('/') != std::string_view::npos)
    title.remove_prefix(title.find('/') + 1);
  render::write_text(picture, pad, pad, render::fitting(title, room, scale), ink, scale);
  const int below = static_cast<int>(picture.height) - pad - render::kGlyphHeight * scale;
  render::write_text(picture, pad, below, note, ink, scale);
}

void Viewpoint::look_at(const Actor& actor) {
  render::Framing one = framing;
  one.clear();
  actor.add_to(one);
  size = std::max(size, one.bounds().diagonal());
  framing.add(one);
}

float Viewpoint::ground() const {
  if (framing.bounds().empty()) return 0;
  const float low = framing.bounds().low.y;
  return low >= -0.04f * size && low <= 0.01f * size ? 0.0f : low;
}

Result<Board> make_board(std::vector<Actor>& actors, const RenderOptions& options, const RenderPlan& plan) {
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    MomentOptions wanted = options.moment;
    Result<Moment> moment = find_moment(actors[i].character(), wanted);
    if (!moment) {
      Error error = moment.error();
      if (i > 0) error.where = *options.compare + ": " + error.where;
      return Unexpected(error);
    }
    // One time line: where clips begin at different keys, each begins at its own.
    if (i > 0 && !options.moment.time) moment->time = moments[0].time;
    moments.push_back(*moment);
  }
  if (options.sheet) {
    if (actors[0].character().clips().empty())
      return fail(ErrorCode::bad_argument, "--sheet", "the file has no clips",
                  "leave out --sheet to see the rest pose");
    return sheet(actors, options, plan, moments[0].clip);
  }
  Board board;
  board.viewpoints.push_back(new_viewpoint(actors[0], plan));
  Viewpoint& viewpoint = board.viewpoints[0];
  if (options.film) {
    Result<std::vector<float>> times = film_times(*moments[0].clip, plan.fps);
    if (!times) return Unexpected(times.error());
    board.times = std::move(*times);
  }
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const Clip* clip = moments[i].clip;
    std::vector<float> looks = clip ? spread_times(*clip, kLooks) : std::vector<float>{};
    // Every frame of a short film is looked at; of a long one the poses between are much like their neighbours.
    if (options.film && board.times.size() <= 400) looks = board.times;
    looks.push_back(moments[i].time);
    for (const float time : looks) actors[i].pose({clip, time}), viewpoint.look_at(actors[i]);
    Cell cell{i, 0, clip, moments[i].time};
    if (options.compare) cell.title = i == 0 ? options.input.file : *options.compare;
    board.cells.push_back(std::move(cell));
  }
  if (options.heat) {
    board.cells.push_back(board.cells[0]);
    board.cells.back().heat = true;
    board.cells.back().title = "difference";
  }
  board.columns = board.cells.size();
  return board;
}

}  // namespace sinew::tool
