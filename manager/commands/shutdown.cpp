#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

void shutdown(const Caller& caller, const sail::Json& params, const Reply& reply) {
  if (auto checked = no_arguments(params, "shutdown"); !checked) {
    reply(checked.error());
    return;
  }
  reply(sail::Json::object());
  caller.manager.shut_down();
}

}  // namespace manager::verbs
