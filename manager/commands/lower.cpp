#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer lower(const Caller& caller, const sail::Json& params) {
  const auto numbers = one_or_many(caller, params, "lower");
  if (!numbers) return numbers.error();
  LayoutChange change;
  change.order = lowered(caller.manager.windows().order(), *numbers);
  caller.manager.change_layout(change, restacked(caller, "lowered", *numbers), caller.session);
  if (params.contains("window")) return window_now(caller, numbers->front());
  return sail::Json{{"windows", *numbers}};
}

}  // namespace manager::verbs
