#include "manager/arrange.h"

#include <fmt/core.h>

#include <algorithm>

#include "manager/commands/areas.h"
#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {
namespace {

struct Request {
  std::string mode;
  int columns = 0;
  uint32_t main = 0;  // 0: the topmost
  std::string area;   // empty: the wall
};

sail::Result<Request> read_request(const sail::Json& params) {
  sail::JsonFields fields(params, "arrange");
  Request request;
  request.mode = fields.string_or("mode", sail::kMaxNameLength, "grid");
  request.area = fields.string_or("area", sail::kMaxNameLength, "");
  if (request.mode == "grid") {
    request.columns = static_cast<int>(fields.integer_or("columns", 1, sail::kMaxWindows, 0));
  } else if (request.mode == "main") {
    if (fields.has("window")) request.main = window_number(fields);
  } else if (request.mode != "aspect") {
    fields.mistake("mode", "must be grid, aspect or main");
  }
  if (auto error = fields.finish()) return *error;
  return request;
}

// Those that may be moved and stand in the area: with their middle, if it is not the whole wall.
std::vector<const Window*> windows_in(const Caller& caller, const Request& request,
                                      const sail::Rect& area) {
  std::vector<const Window*> chosen;
  for (const Window& window : caller.manager.windows().bottom_to_top()) {
    const sail::Rect& rect = window.wall_rect;
    const bool stands_there = request.area.empty() || window.number == request.main ||
                              area.contains(rect.x + rect.width / 2, rect.y + rect.height / 2);
    if (stands_there && !window.locked) chosen.push_back(&window);
  }
  return chosen;
}

std::vector<sail::Rect> places_for(const Request& request, const sail::Rect& area,
                                   const std::vector<const Window*>& windows,
                                   const TileGaps& gaps) {
  std::vector<sail::Size> contents;
  contents.reserve(windows.size());
  for (const Window* window : windows) contents.push_back(window->frame_size);
  if (contents.empty()) return {};
  if (request.mode == "aspect") return arrange_rows(area, contents);
  if (request.mode == "grid") return arrange_grid(area, contents, request.columns, gaps);
  const auto main = std::find_if(windows.begin(), windows.end(), [&](const Window* window) {
    return window->number == request.main;
  });
  const auto last = contents.size() - 1;
  return arrange_main(area, contents,
                      main == windows.end() ? last : static_cast<size_t>(main - windows.begin()),
                      gaps);
}

}  // namespace

Answer arrange(const Caller& caller, const sail::Json& params) {
  const auto request = read_request(params);
  if (!request) return request.error();
  const auto area = area_named(caller, request->area);
  if (!area) return area.error();
  if (request->main != 0) {
    if (auto free = find_unlocked(caller, request->main); !free) {
      return free.error();
    }
  }
  const std::vector<const Window*> windows = windows_in(caller, *request, *area);
  const std::vector<sail::Rect> places =
      places_for(*request, *area, windows, caller.manager.tile_gaps());
  LayoutChange change;
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < windows.size(); ++i) {
    change.windows[windows[i]->number] = {.wall_rect = places[i]};
    numbers.push_back(windows[i]->number);
  }
  caller.manager.change_layout(change, {.verb = "arranged"}, caller.session);
  constexpr size_t kMostTold = 256;
  sail::Json told = sail::Json::array();
  for (size_t i = 0; i < std::min(numbers.size(), kMostTold); ++i) {
    told.push_back(window_now(caller, numbers[i]));
  }
  return sail::Json{{"windows", std::move(told)}};
}

}  // namespace manager::verbs
