#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_json.h"
#include "sail/base/clock.h"

namespace manager::verbs {

Answer stats(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "stats");
  const uint32_t only = fields.has("window") ? window_number(fields) : 0;
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  FsManager& manager = caller.manager;
  sail::Json windows = sail::Json::array();
  if (only != 0) {
    if (auto found = find_window(caller, only); !found) return tl::make_unexpected(found.error());
    windows.push_back(window_now(caller, only));
  } else {
    for (const Window& window : manager.windows().bottom_to_top()) {
      windows.push_back(window_now(caller, window.number));
    }
  }
  sail::Json receivers = sail::Json::array();
  for (const ReceiverEntry& receiver : manager.receivers().all()) {
    receivers.push_back(receiver_object(receiver));
  }
  const Director::Counters& counters = manager.director().counters();
  return sail::Json{{"wall_ns", sail::steady_now_ns()},
                    {"windows", std::move(windows)},
                    {"receivers", std::move(receivers)},
                    {"manager",
                     {{"peers", manager.sessions()},
                      {"layouts", counters.layouts},
                      {"layouts_timed_out", counters.layouts_timed_out},
                      {"frames_swapped", counters.frames_swapped},
                      {"left_behind", counters.left_behind}}}};
}

}  // namespace manager::verbs
