#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_json.h"
#include "manager/take_some.h"
#include "sail/base/clock.h"
#include "sail/wire/limits.h"

namespace manager::verbs {
namespace {

// So many links of all windows together fit into a line of the protocol.
constexpr size_t kMostLinks = sail::kMaxTiles;

class WindowList {
 public:
  void add(const Window& window) {
    sail::Json object = window_object(window);
    const size_t links = window.stats ? window.stats->links.size() : 0;
    if (links > room_) {
      object["stats"]["links_left_out"] = links;
    } else if (window.stats) {
      object["stats"]["links"] = links_json(window);
      room_ -= links;
    }
    list_.push_back(std::move(object));
  }
  sail::Json take() { return std::move(list_); }

 private:
  sail::Json list_ = sail::Json::array();
  size_t room_ = kMostLinks;
};

}  // namespace

Answer stats(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "stats");
  const uint32_t only = fields.has("window") ? window_number(fields) : 0;
  const auto skip = static_cast<size_t>(fields.integer_or("skip", 0, sail::kMaxWindows, 0));
  if (auto error = fields.finish()) return *error;
  FsManager& manager = caller.manager;
  WindowList windows;
  if (only != 0) {
    const auto found = find_window(caller, only);
    if (!found) return found.error();
    windows.add(**found);
  } else {
    const std::vector<Window>& all = manager.windows().bottom_to_top();
    for (size_t i = skip; i < all.size() && i - skip < kMostInOne; ++i) windows.add(all[i]);
  }
  sail::Json receivers = sail::Json::array();
  for (const ReceiverEntry& receiver : manager.receivers().all()) {
    receivers.push_back(receiver_object(receiver));
  }
  const Director::Counters& counters = manager.director().counters();
  return sail::Json{{"wall_ns", sail::steady_now_ns()},
                    {"total", manager.windows().bottom_to_top().size()},
                    {"windows", windows.take()},
                    {"receivers", std::move(receivers)},
                    {"manager",
                     {{"peers", manager.sessions()},
                      {"layouts", counters.layouts},
                      {"layouts_timed_out", counters.layouts_timed_out},
                      {"frames_swapped", counters.frames_swapped},
                      {"left_behind", counters.left_behind}}}};
}

}  // namespace manager::verbs
