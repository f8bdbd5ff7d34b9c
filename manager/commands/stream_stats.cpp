#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/control_messages.h"

namespace manager::verbs {

Answer stream_stats(const Caller& caller, const sail::Json& params) {
  const auto stats = sail::from_json<sail::StreamStats>(params);
  if (!stats) return stats.error();
  const auto window = own_window(caller, stats->stream);
  if (!window) return window.error();
  caller.manager.record_stats((*window)->number, *stats);
  return sail::Json::object();
}

}  // namespace manager::verbs
