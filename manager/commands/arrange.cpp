#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer arrange(const Caller& caller, const sail::Json& params) {
  if (auto checked = no_arguments(params, "arrange"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  caller.manager.arrange_windows();
  sail::Json windows = sail::Json::array();
  for (const Window& window : caller.manager.windows().bottom_to_top()) {
    windows.push_back(window_now(caller, window.number));
  }
  return sail::Json{{"windows", std::move(windows)}};
}

}  // namespace manager::verbs
