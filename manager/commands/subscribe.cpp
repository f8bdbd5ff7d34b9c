#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_json.h"

namespace manager::verbs {

Answer subscribe(const Caller& caller, const sail::Json& params) {
  if (auto checked = no_arguments(params, "subscribe"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  caller.manager.announce(caller.session);
  // The state first: what it shows is published by then, so the next change has its next revision.
  sail::Json state = state_json(caller.manager);
  caller.manager.subscribe(caller.session);
  return state;
}

}  // namespace manager::verbs
