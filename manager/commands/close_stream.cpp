#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer close_stream(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "close_stream");
  const uint32_t stream = stream_number(fields);
  if (auto error = fields.finish_open()) return *error;
  const auto window = own_window(caller, stream);
  if (!window) return window.error();
  caller.manager.remove_window((*window)->number);
  return sail::Json::object();
}

}  // namespace manager::verbs
