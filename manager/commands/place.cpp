#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {
namespace {

struct Request {
  std::map<uint32_t, sail::Rect> places;
  bool front = false;
  std::string gesture;
};

sail::Result<Request> read_request(const sail::Json& params) {
  sail::JsonFields fields(params, "place");
  Request request;
  const sail::Json& windows = fields.array("windows", sail::kMaxWindows);
  for (size_t i = 0; i < windows.size(); ++i) {
    sail::JsonFields item(windows[i], fmt::format("place: windows[{}]", i));
    const uint32_t number = window_number(item);
    const sail::Rect rect = item.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide);
    if (auto error = item.finish()) {
      fields.mistake(std::move(*error));
      break;
    }
    if (!request.places.emplace(number, rect).second) {
      fields.mistake("windows", fmt::format("must name window {} once", number));
      break;
    }
  }
  if (windows.empty()) fields.mistake("windows", "must name one window or more");
  request.front = fields.boolean_or("front", false);
  request.gesture = gesture(fields);
  if (auto error = fields.finish()) return *error;
  return request;
}

}  // namespace

Answer place(const Caller& caller, const sail::Json& params) {
  auto request = read_request(params);
  if (!request) return request.error();
  LayoutChange change;
  std::vector<uint32_t> numbers;
  bool same_places = true;
  bool same_sizes = true;
  for (const auto& [number, rect] : request->places) {
    const auto window = find_unlocked(caller, number);
    if (!window) return window.error();
    const sail::Rect& now = (*window)->wall_rect;
    same_places = same_places && now == rect;
    same_sizes = same_sizes && now.width == rect.width && now.height == rect.height;
    change.windows[number] = {.wall_rect = rect};
    numbers.push_back(number);
  }
  if (request->front) change.order = raised(caller.manager.windows().order(), numbers);
  Deed deed = same_places && request->front ? restacked(caller, "raised", numbers)
                                            : Deed{.verb = same_sizes ? "moved" : "resized"};
  deed.gesture = std::move(request->gesture);
  caller.manager.change_layout(change, deed, caller.session);
  return sail::Json{{"windows", std::move(numbers)}};
}

}  // namespace manager::verbs
