#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_json.h"

namespace manager::verbs {

Answer list(const Caller& caller, const sail::Json& params) {
  if (auto checked = no_arguments(params, "list"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  return state_json(caller.manager);
}

}  // namespace manager::verbs
