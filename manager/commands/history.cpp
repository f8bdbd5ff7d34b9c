#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_parts.h"

namespace manager::verbs {

Answer history(const Caller& caller, const sail::Json& params) {
  if (auto checked = no_arguments(params, "history"); !checked) {
    return checked.error();
  }
  return state_part_json(caller.manager, StatePart::kHistory);
}

}  // namespace manager::verbs
