#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

void undo(const Caller& caller, const sail::Json& params, const Reply& reply) {
  if (auto checked = no_arguments(params, "undo"); !checked) {
    reply(checked.error());
    return;
  }
  caller.manager.undo(caller.session,
                      [reply](const sail::Result<Told>& told) { reply(told.map(step_json)); });
}

}  // namespace manager::verbs
