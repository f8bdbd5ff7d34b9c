#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer raise(const Caller& caller, const sail::Json& params) {
  const auto window = only_window(caller, params, "raise");
  if (!window) return tl::make_unexpected(window.error());
  const uint32_t number = (*window)->number;
  caller.manager.raise_window(number);
  return window_now(caller, number);
}

}  // namespace manager::verbs
