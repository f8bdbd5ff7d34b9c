#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer overlay(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "overlay");
  const bool on = fields.boolean_or("on", true);
  if (auto error = fields.finish()) return *error;
  caller.manager.show_figures(on);
  return sail::Json{{"overlay", on}};
}

}  // namespace manager::verbs
