#include "sail/wire/input.h"

#include <fmt/core.h>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer input(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "input");
  const uint32_t number = window_number(fields);
  const sail::Input input = sail::read_fields<sail::Input>(fields);
  if (auto error = fields.finish()) return *error;
  const auto window = find_window(caller, number);
  if (!window) return window.error();
  if (!(*window)->takes_input) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} takes no input: its application, '{}', reads neither "
                                  "pointer nor keys",
                                  number, (*window)->owner_name));
  }
  caller.manager.send_input(**window, caller.session, input);
  return sail::Json{{"window", number}};
}

}  // namespace manager::verbs
