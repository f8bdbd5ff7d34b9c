#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_parts.h"

namespace manager::verbs {

Answer layouts(const Caller& caller, const sail::Json& params) {
  if (auto checked = no_arguments(params, "layouts"); !checked) {
    return checked.error();
  }
  return saved_list(caller, SavedKind::kLayout);
}

}  // namespace manager::verbs
