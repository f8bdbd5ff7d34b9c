#include "sail/base/clock.h"
#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/control_messages.h"

namespace manager::verbs {

Answer clock(const Caller& /*caller*/, const sail::Json& params) {
  if (auto checked = no_arguments(params, "clock"); !checked) {
    return checked.error();
  }
  return to_json(sail::ClockReading{.wall_ns = sail::steady_now_ns()});
}

}  // namespace manager::verbs
