#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer session_remove(const Caller& caller, const sail::Json& params) {
  const auto name = only_name(params, "session_remove");
  if (!name) return name.error();
  if (auto done = caller.manager.remove_saved(SavedKind::kSession, *name); !done) {
    return done.error();
  }
  return saved_list(caller, SavedKind::kSession);
}

}  // namespace manager::verbs
