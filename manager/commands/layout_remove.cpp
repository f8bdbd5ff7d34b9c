#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer layout_remove(const Caller& caller, const sail::Json& params) {
  const auto name = only_name(params, "layout_remove");
  if (!name) return name.error();
  if (auto done = caller.manager.remove_saved(SavedKind::kLayout, *name); !done) {
    return done.error();
  }
  return saved_list(caller, SavedKind::kLayout);
}

}  // namespace manager::verbs
