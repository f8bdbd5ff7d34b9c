#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_json.h"

namespace manager::verbs {

Answer why(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "why");
  const uint32_t only = fields.has("window") ? window_number(fields) : 0;
  if (auto error = fields.finish()) return *error;
  if (only == 0) return health_json(caller.manager);
  const auto window = find_window(caller, only);
  if (!window) return window.error();
  sail::Json answer = to_json((*window)->health.diagnosis());
  answer["window"] = (*window)->number;
  answer["title"] = (*window)->title;
  return answer;
}

}  // namespace manager::verbs
