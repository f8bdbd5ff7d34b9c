#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

void redo(const Caller& caller, const sail::Json& params, const Reply& reply) {
  if (auto checked = no_arguments(params, "redo"); !checked) {
    reply(checked.error());
    return;
  }
  caller.manager.redo(caller.session,
                      [reply](const sail::Result<Told>& told) { reply(told.map(step_json)); });
}

}  // namespace manager::verbs
