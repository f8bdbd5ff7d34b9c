#include "sail/wire/thumbnail.h"

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer thumbnail(const Caller& caller, const sail::Json& params) {
  const auto thumbnail = sail::thumbnail_from_json(params);
  if (!thumbnail) return tl::make_unexpected(thumbnail.error());
  if (auto checked = check_own(caller, thumbnail->stream); !checked) {
    return tl::make_unexpected(checked.error());
  }
  caller.manager.record_thumbnail(*thumbnail);
  return sail::Json::object();
}

}  // namespace manager::verbs
