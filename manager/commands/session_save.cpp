#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer session_save(const Caller& caller, const sail::Json& params) {
  const auto name = only_name(params, "session_save");
  if (!name) return name.error();
  if (auto done = caller.manager.save_wall(SavedKind::kSession, *name); !done) {
    return done.error();
  }
  return saved_list(caller, SavedKind::kSession);
}

}  // namespace manager::verbs
