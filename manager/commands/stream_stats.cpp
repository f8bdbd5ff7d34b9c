#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/control_messages.h"

namespace manager::verbs {

Answer stream_stats(const Caller& caller, const sail::Json& params) {
  const auto stats = sail::stream_stats_from_json(params);
  if (!stats) return tl::make_unexpected(stats.error());
  if (auto checked = check_own(caller, stats->stream); !checked) {
    return tl::make_unexpected(checked.error());
  }
  caller.manager.record_stats(stats->stream, *stats);
  return sail::Json::object();
}

}  // namespace manager::verbs
