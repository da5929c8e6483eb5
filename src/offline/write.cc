#include "sinew/write.h"

#include <utility>

#include "offline/write_detail.h"

namespace sinew {
namespace {

using namespace detail;

Fault make(WriteState& state) {
  if (Fault f = check_scene(state.scene, state.options)) return f;
  if (Fault f = make_plan(state)) return f;
  if (Fault f = make_rows(state)) return f;
  if (Fault f = add_skeleton(state)) return f;
  if (Fault f = add_meshes(state)) return f;
  return add_clips(state);
}

void report_changes(const Tallies& tallies, Report& report) {
  tallies.zero.report_to(report, Severity::warning, "weights.zero",
                         "give the vertices weights where they are to follow a joint");
  tallies.sum.report_to(report, Severity::warning, "weights.sum",
                        "normalise the weights in the program that made the file");
  tallies.negative.report_to(report, Severity::warning, "weights.negative", "paint the weights again");
  tallies.dropped.report_to(report, Severity::warning, "influences.dropped", "allow more influences a vertex");
  tallies.movement.report_to(report, Severity::warning, "influences.movement", "");
  tallies.rotations.report_to(report, Severity::info, "rotation.normalised", "");
}

}  // namespace

Result<Bytes> write(const Scene& scene, const WriteOptions& options, Report* report) {
  Report changes;
  WriteState state{scene, options, changes, Budget(scene), {}, {}, {}, {}};
  if (Fault f = make(state)) return Unexpected(std::move(*f));
  report_changes(state.tallies, changes);
  if (report)
    for (Finding& finding : changes) add(*report, std::move(finding));
  return state.file.finish();
}

}  // namespace sinew
