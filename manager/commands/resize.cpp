#include <algorithm>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

Answer resize(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "resize");
  const uint32_t number = window_number(fields);
  const int64_t width = fields.integer_or("width", 1, sail::kMaxWindowSide, 0);
  const int64_t height = fields.integer_or("height", 1, sail::kMaxWindowSide, 0);
  if (width == 0 && height == 0) fields.mistake("width", "or 'height' must be there, or both");
  const Deed deed{.verb = "resized", .gesture = gesture(fields)};
  if (auto error = fields.finish()) return *error;
  const auto window = find_window(caller, number);
  if (!window) return window.error();

  WideRect place{(*window)->wall_rect.x, (*window)->wall_rect.y, width, height};
  const sail::Size& frame = (*window)->frame_size;
  // To the nearest pixel; a line is the thinnest picture.
  if (width == 0)
    place.width = std::max<int64_t>((height * frame.width + frame.height / 2) / frame.height, 1);
  if (height == 0)
    place.height = std::max<int64_t>((width * frame.height + frame.width / 2) / frame.width, 1);
  return place_one(caller, **window, place, deed);
}

}  // namespace manager::verbs
