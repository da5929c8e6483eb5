// sinew render: pictures and films.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "backend.h"
#include "gpu/context.h"
#include "json.h"
#include "output.h"
#include "render/codec.h"
#include "render_shots.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;
using render::Picture;
using render::Rgba;

/// All that a run needs, made once.
struct Studio {
  const RenderOptions& options;
  RenderPlan plan;
  std::vector<Actor> actors;
  std::vector<render::Renderer> renderers;  // one an actor
  Board board;
  std::optional<Difference> difference;
  float largest = 0, scale = 1;  // of the difference, as shares of size

  std::uint32_t rows() const {
    return static_cast<std::uint32_t>((board.cells.size() + board.columns - 1) / board.columns);
  }
  std::uint32_t width() const { return plan.width * static_cast<std::uint32_t>(board.columns); }
  std::uint32_t height() const { return plan.height * rows(); }
  int text_scale() const { return std::max(1, static_cast<int>(std::min(plan.width, plan.height)) / 300); }

  Result<Picture> draw(const Cell& cell, float time);
  /// `progress` takes a step a cell.
  Result<Picture> draw(std::size_t frame, Progress* progress = nullptr);
  void measure_difference();
};

void write_legend(Picture& picture, float scale, int text_scale) {
  const int height = static_cast<int>(picture.height), line = render::kGlyphHeight * text_scale, pad = 5 * text_scale;
  const int left = pad, top = height - pad - 2 * line,
            width = std::min(140 * text_scale, static_cast<int>(picture.width) - 2 * pad);
  for (int x = 0; x < width; ++x)
    render::fill(picture, left + x, top, 1, line - 2 * text_scale,
                 ramp(static_cast<float>(x) / static_cast<float>(width - 1)));
  const std::string high = rounded(scale, 1) + " of size";
  const Rgba ink{25, 28, 34, 255};
  render::write_text(picture, left, top + line, "0", ink, text_scale);
  render::write_text(picture, left + width - render::text_width(high, text_scale), top + line, high, ink, text_scale);
}

Result<Picture> Studio::draw(const Cell& cell, float time) {
  Actor& actor = actors[cell.actor];
  cell.heat ? actor.pose({cell.clip, time}) : actor.pose_to_draw({cell.clip, time});
  std::vector<std::vector<Rgba>> hot;
  if (cell.heat) {
    Actor& other = actors[1];
    other.pose({board.cells[1].clip, time});
    for (const std::vector<float>& part : difference->shares(actor, other)) {
      hot.emplace_back();
      for (const float share : part) hot.back().push_back(ramp(share / scale));
    }
    actor.paint(hot);
  }
  const Viewpoint& viewpoint = board.viewpoints[cell.viewpoint];
  const std::vector<render::Corner> overlay =
      options.skeleton ? skeleton_corners(actor) : std::vector<render::Corner>();
  render::Look look = look_of(viewpoint, plan);
  look.wireframe = options.wireframe;
  look.overlay = overlay;
  Result<Picture> picture = renderers[cell.actor].draw(actor.moved(), look);
  if (cell.heat) actor.paint({});
  if (!picture) return picture;
  write_labels(*picture, cell.title, cell.heat ? "" : cell.note, plan, text_scale());
  if (cell.heat) write_legend(*picture, scale, text_scale());
  return picture;
}

Result<Picture> Studio::draw(std::size_t frame, Progress* progress) {
  Picture all(width(), height());
  for (std::size_t i = 0; i < board.cells.size(); ++i) {
    const Cell& cell = board.cells[i];
    if (progress) progress->step(fmt::format("picture {} of {}", i + 1, board.cells.size()));
    const Result<Picture> picture = draw(cell, board.times.empty() ? cell.time : board.times[frame]);
    if (!picture) return picture;
    render::paste(all, *picture, plan.width * static_cast<std::uint32_t>(i % board.columns),
                  plan.height * static_cast<std::uint32_t>(i / board.columns));
  }
  return all;
}

void Studio::measure_difference() {
  std::vector<float> times = board.times;
  if (times.empty()) times.push_back(board.cells[0].time);
  for (const float time : times) {
    for (std::size_t i = 0; i < 2; ++i) actors[i].pose({board.cells[i].clip, time});
    for (const std::vector<float>& part : difference->shares(actors[0], actors[1]))
      for (const float share : part) largest = std::max(largest, share);
  }
  scale = round_scale(largest);
}

/// An error and the file that it is about.
struct Trouble {
  std::string file;
  Error error;
};

std::optional<Trouble> load_actors(Studio& studio) {
  std::vector<std::string> files{studio.options.input.file};
  if (studio.options.compare) files.push_back(*studio.options.compare);
  for (const std::string& file : files) {
    InputOptions input = studio.options.input;
    input.file = file;
    Result<Input> loaded = load(input);
    if (!loaded) return Trouble{file, loaded.error()};
    Actor actor(std::move(*loaded));
    print_notes(file, actor.report());
    print_notes(file, actor.materials().report);
    if (!actor.has_mesh() && actor.character().skeleton().joint_count() == 0)
      return Trouble{file,
                     {ErrorCode::unsupported, "", "has no node with a mesh, and no joints: nothing to draw",
                      "put a mesh at a node"}};
    if (!actor.has_mesh() && !studio.options.skeleton)
      return Trouble{file, {ErrorCode::unsupported, "", "has no mesh to draw", "add --skeleton to draw its joints"}};
    studio.actors.push_back(std::move(actor));
  }
  return std::nullopt;
}

std::optional<Trouble> prepare(Studio& studio, const gpu::Context& context) {
  const std::string& file = studio.options.input.file;
  if (studio.options.focus) {
    for (Actor& actor : studio.actors) {
      const Result<std::int32_t> row = find_joint(actor.character(), *studio.options.focus, "--focus");
      if (!row) return Trouble{&actor == &studio.actors[0] ? file : *studio.options.compare, row.error()};
      actor.focus(*row);
    }
  }
  Result<Board> board = make_board(studio.actors, studio.options, studio.plan);
  if (!board) return Trouble{file, board.error()};
  studio.board = std::move(*board);
  if (std::uint64_t(studio.width()) * studio.height() > render::kPixelLimit)
    return Trouble{
        file,
        {ErrorCode::bad_argument, "--size", fmt::format("{} x {} pixels in all", studio.width(), studio.height()),
         "the limit is 64 million: give a smaller --size"}};
  if (studio.options.heat) {
    Result<Difference> difference = Difference::create(studio.actors[0], studio.actors[1]);
    if (!difference) return Trouble{*studio.options.compare, difference.error()};
    studio.difference = std::move(*difference);
    studio.measure_difference();
  }
  for (Actor& actor : studio.actors) {
    const std::string& of = &actor == &studio.actors[0] ? file : *studio.options.compare;
    if (studio.options.weights) {
      const bool all = *studio.options.weights == "all";
      const Result<std::int32_t> row =
          all ? Result<std::int32_t>(-1) : find_joint(actor.character(), *studio.options.weights, "--weights");
      if (!row) return Trouble{of, row.error()};
      actor.paint(weight_colours(actor.character(), *row));
    }
    Result<render::Renderer> renderer = render::Renderer::create(context, studio.plan.width, studio.plan.height);
    if (!renderer) return Trouble{of, renderer.error()};
    if (const Result<void> loaded = renderer->load(actor.shapes(), actor.materials()); !loaded)
      return Trouble{of, loaded.error()};
    studio.renderers.push_back(std::move(*renderer));
  }
  return std::nullopt;
}

/// Errors that speak of the output, and not of what it shows.
struct Written {
  std::optional<Trouble> trouble;
  std::size_t frames = 1;
};

Written write(Studio& studio) {
  const std::string &file = studio.options.input.file, &output = studio.options.output;
  Written out;
  const auto stop = [&](const std::string& of, const Error& error) { return out.trouble = Trouble{of, error}, out; };
  if (!studio.options.film) {
    Progress progress(studio.board.cells.size());
    const Result<Picture> picture = studio.draw(0, &progress);
    if (!picture) return stop(file, picture.error());
    const Result<void> written = write_picture(studio.plan.kind, output, *picture);
    return written ? out : stop(output, written.error());
  }
  Result<FilmFile> film =
      FilmFile::create(studio.plan.kind, output, {studio.width(), studio.height(), studio.plan.fps});
  if (!film) return stop(output, film.error());
  out.frames = studio.board.times.size();
  Progress progress(out.frames);
  for (std::size_t i = 0; i < out.frames; ++i) {
    progress.step(fmt::format("frame {} of {}", i + 1, out.frames));
    const Result<Picture> picture = studio.draw(i);
    if (!picture) return stop(file, picture.error());
    if (const Result<void> added = film->add(*picture); !added) return stop(output, added.error());
  }
  const Result<void> finished = film->finish();
  return finished ? out : stop(output, finished.error());
}

int report(const Studio& studio, const gpu::Context& context, std::size_t frames) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(studio.options.output, error);
  const std::string device = context.properties().deviceName;
  if (studio.options.json) {
    Json out{{"output", studio.options.output}, {"output_bytes", bytes}, {"width", studio.width()},
             {"height", studio.height()},       {"frames", frames},      {"device", device}};
    if (studio.difference) out["largest_difference"] = studio.largest;
    return print(to_text(out));
  }
  std::string what = studio.options.sheet ? counted(studio.board.cells.size(), "picture")
                                          : describe(Moment{studio.board.cells[0].clip, studio.board.cells[0].time});
  if (studio.options.film)
    what = fmt::format("{} of clip {}", counted(frames, "frame"), in_quotes(studio.board.cells[0].clip->name));
  std::string out = fmt::format("{}: {} x {} pixels, {} bytes ({}; {})\n", shown(studio.options.output), studio.width(),
                                studio.height(), grouped(bytes), what, shown(device));
  if (studio.difference) out += fmt::format("largest difference: {} of size\n", rounded(studio.largest));
  return print(out);
}

int render_file(const RenderOptions& options) {
  const Result<RenderPlan> plan = understand(options);
  if (!plan) return failure("", plan.error());
  std::optional<gpu::Context> context;  // before the studio, whose renderers end before it
  Studio studio{options, *plan, {}, {}, {}, {}};
  if (const auto trouble = load_actors(studio)) return failure(trouble->file, trouble->error);
  std::error_code same;
  if (fs::equivalent(options.input.file, options.output, same))
    return failure(options.output,
                   Error{ErrorCode::bad_argument, "-o", "is the source file itself", "give another name"});
  gpu::ContextOptions wanted;
  wanted.graphics = true;
  Result<gpu::Context> made = gpu::Context::create(wanted);
  if (!made) return failure(options.input.file, made.error());
  context = std::move(*made);
  if (const auto trouble = prepare(studio, *context)) return failure(trouble->file, trouble->error);
  const Written written = write(studio);
  if (written.trouble) return failure(written.trouble->file, written.trouble->error);
  if (const Result<void> quiet = check_messages(*context); !quiet) return failure("", quiet.error());
  return report(studio, *context, written.frames);
}

}  // namespace

void add_render(CLI::App& app, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* verb = app.add_subcommand("render", "Draw a picture, a film, a contact sheet or a comparison");
  add_render_options(*verb, *options);
  verb->footer(
      "Examples: sinew render biped.glb --clip walk --time 0.25 -o step.png\n"
      "          sinew render biped.glb --clip walk --film -o walk.webp\n"
      "          sinew render biped.glb --sheet -o sheet.png\n"
      "          sinew render biped.glb --compare biped.sinew --heat --clip run --film -o run.mp4\n"
      "The camera sees all poses of the clip. The ground is at y = 0 where the clip's lowest point is about there,\n"
      "else at that point. Draws on a GPU, or without one on the CPU (lavapipe). GIF and MP4 need ffmpeg.\n"
      "A .sinew has no materials: it is drawn in one colour. SINEW_VALIDATION=1: Vulkan's validation layer listens.");
  verb->callback([options, &action] { action = [options] { return render_file(*options); }; });
}

}  // namespace sinew::tool
