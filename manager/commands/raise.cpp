#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer raise(const Caller& caller, const sail::Json& params) {
  const auto numbers = one_or_many(caller, params, "raise");
  if (!numbers) return numbers.error();
  LayoutChange change;
  change.order = raised(caller.manager.windows().order(), *numbers);
  caller.manager.change_layout(change, restacked(caller, "raised", *numbers), caller.session);
  if (params.contains("window")) return window_now(caller, numbers->front());
  return sail::Json{{"windows", *numbers}};
}

}  // namespace manager::verbs
