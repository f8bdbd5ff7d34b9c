#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer lock(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "lock");
  const uint32_t number = window_number(fields);
  const bool on = fields.boolean_or("on", true);
  if (auto error = fields.finish()) return *error;
  const auto window = find_window(caller, number);
  if (!window) return window.error();
  Standing standing = (*window)->standing();
  standing.locked = on;
  caller.manager.change_layout({.windows = {{number, standing}}},
                               {.verb = on ? "locked" : "unlocked"}, caller.session);
  return window_now(caller, number);
}

}  // namespace manager::verbs
