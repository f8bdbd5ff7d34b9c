#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer close_stream(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "close_stream");
  const uint32_t stream = stream_number(fields);
  if (auto error = fields.finish_open()) return tl::make_unexpected(*error);
  if (auto checked = check_own(caller, stream); !checked) {
    return tl::make_unexpected(checked.error());
  }
  caller.manager.remove_window(stream);
  return sail::Json::object();
}

}  // namespace manager::verbs
