#include "manager/arrange.h"
#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer maximise(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "maximise");
  const uint32_t number = window_number(fields);
  const bool on = fields.boolean_or("on", true);
  if (auto error = fields.finish()) return *error;
  const auto found = find_unlocked(caller, number);
  if (!found) return found.error();
  const Window& window = **found;
  const sail::Size wall = caller.manager.wall().size;
  LayoutChange change;
  Standing standing = window.standing();
  if (on) {
    if (!standing.before_maximised) standing.before_maximised = standing.wall_rect;
    standing.wall_rect = fit_into(window.frame_size, {0, 0, wall.width, wall.height});
    change.order = raised(caller.manager.windows().order(), {number});
  } else if (standing.before_maximised) {
    standing = {.wall_rect = *standing.before_maximised};
  }
  change.windows[number] = standing;
  caller.manager.change_layout(change, {.verb = on ? "maximised" : "brought back the size of"},
                               caller.session);
  return window_now(caller, number);
}

}  // namespace manager::verbs
