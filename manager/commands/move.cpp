#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

Answer move(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "move");
  const uint32_t number = window_number(fields);
  const bool by = fields.has("dx") || fields.has("dy");
  constexpr int64_t kFarthest = sail::kMaxWindowOffset;
  const int64_t x = by ? fields.integer("dx", -2 * kFarthest, 2 * kFarthest)
                       : fields.integer("x", -kFarthest, kFarthest);
  const int64_t y = by ? fields.integer("dy", -2 * kFarthest, 2 * kFarthest)
                       : fields.integer("y", -kFarthest, kFarthest);
  const Deed deed{.verb = "moved", .gesture = gesture(fields)};
  if (auto error = fields.finish()) return *error;
  const auto window = find_window(caller, number);
  if (!window) return window.error();
  const sail::Rect& now = (*window)->wall_rect;
  return place_one(caller, **window,
                   {by ? now.x + x : x, by ? now.y + y : y, now.width, now.height}, deed);
}

}  // namespace manager::verbs
