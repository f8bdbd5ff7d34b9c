#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_json.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

Answer list(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "list");
  const int64_t skip = fields.integer_or("skip", 0, sail::kMaxWindows, 0);
  if (auto error = fields.finish()) return *error;
  return state_json(caller.manager, static_cast<size_t>(skip));
}

}  // namespace manager::verbs
