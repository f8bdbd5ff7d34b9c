#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer lower(const Caller& caller, const sail::Json& params) {
  const auto window = only_window(caller, params, "lower");
  if (!window) return tl::make_unexpected(window.error());
  const uint32_t number = (*window)->number;
  caller.manager.lower_window(number);
  return window_now(caller, number);
}

}  // namespace manager::verbs
