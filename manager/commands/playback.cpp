#include "sail/wire/playback.h"

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer playback(const Caller& caller, const sail::Json& params) {
  const auto told = sail::from_json<sail::StreamPlayback>(params);
  if (!told) return told.error();
  const auto window = own_window(caller, told->stream);
  if (!window) return window.error();
  caller.manager.record_playback((*window)->number, told->playback);
  return sail::Json::object();
}

}  // namespace manager::verbs
