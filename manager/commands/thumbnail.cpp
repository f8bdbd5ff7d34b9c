#include "sail/wire/thumbnail.h"

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer thumbnail(const Caller& caller, const sail::Json& params) {
  const auto thumbnail = sail::from_json<sail::Thumbnail>(params);
  if (!thumbnail) return thumbnail.error();
  const auto window = own_window(caller, thumbnail->stream);
  if (!window) return window.error();
  caller.manager.record_thumbnail((*window)->number, *thumbnail);
  return sail::Json::object();
}

}  // namespace manager::verbs
