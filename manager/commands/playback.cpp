#include "sail/wire/playback.h"

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer playback(const Caller& caller, const sail::Json& params) {
  const auto told = sail::stream_playback_from_json(params);
  if (!told) return tl::make_unexpected(told.error());
  if (auto checked = check_own(caller, told->stream); !checked) {
    return tl::make_unexpected(checked.error());
  }
  caller.manager.record_playback(told->stream, told->playback);
  return sail::Json::object();
}

}  // namespace manager::verbs
