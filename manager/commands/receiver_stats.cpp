#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/control_messages.h"

namespace manager::verbs {

Answer receiver_stats(const Caller& caller, const sail::Json& params) {
  const auto stats = sail::from_json<sail::ReceiverStats>(params);
  if (!stats) return stats.error();
  caller.manager.record_stats(caller.session, *stats);
  return sail::Json::object();
}

}  // namespace manager::verbs
