// What a picture of sinew render is made of: cells, each a character at a time, seen from a viewpoint that several share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render_actor.h"
#include "render_options.h"

namespace sinew::tool {

/// Times at which clips are shown or looked at: all of a clip's, or one.
std::vector<float> spread_times(const Clip& clip, std::size_t count);
/// Times of a film's frames, from the first key on; as many as last as long as the clip. Error: far too many.
Result<std::vector<float>> film_times(const Clip& clip, double fps);

/// A camera and a ground that fit all poses it has looked at.
struct Viewpoint {
  render::Framing framing;
  float size = 0;  ///< the largest pose's diagonal

  void look_at(const Actor& actor);
  /// y = 0 where the lowest point of all poses is about there, for feet go through a ground by a little; else that point.
  float ground() const;
};

/// That has seen no pose yet; `actor` says where its front is.
Viewpoint new_viewpoint(const Actor& actor, const RenderPlan& plan);
/// What is seen from there, and its light.
render::Look look_of(const Viewpoint& viewpoint, const RenderPlan& plan);
/// A title above and a note below in a picture; of a title that is too long the end of its path.
void write_labels(render::Picture& picture, std::string_view title, std::string_view note, const RenderPlan& plan,
                  int scale);

struct Cell {
  std::size_t actor = 0, viewpoint = 0;
  const Clip* clip = nullptr;  ///< of that actor; null: the rest pose
  float time = 0;              ///< in a film, that of its first frame
  bool heat = false;
  std::string title, note;  ///< above and below in the cell
};

/// Cells in rows of `columns`.
struct Board {
  std::vector<Cell> cells;
  std::vector<Viewpoint> viewpoints;
  std::size_t columns = 1;
  std::vector<float> times;  ///< of a film: the cells' own times count only where this is empty
};
/// Looks through all poses, so that every cell's camera sees all of what it will show.
Result<Board> make_board(std::vector<Actor>& actors, const RenderOptions& options, const RenderPlan& plan);

}  // namespace sinew::tool
