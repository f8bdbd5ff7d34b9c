#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer identify(const Caller& caller, const sail::Json& params) {
  constexpr double kLongestSeconds = 86'400;
  sail::JsonFields fields(params, "identify");
  const bool on = fields.boolean_or("on", true);
  const double seconds = fields.number_or("seconds", 0, kLongestSeconds, 0);
  if (auto error = fields.finish()) return *error;
  caller.manager.identify(on, seconds);
  return sail::Json{{"identify", on}};
}

}  // namespace manager::verbs
