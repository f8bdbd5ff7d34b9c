// Requests of the standby manager.
#include "manager/commands/verbs.h"
#include "manager/failover/successor.h"

namespace manager::verbs {

Answer stand_by(const Call& call, Successor& successor) {
  return sail::message_from_json<sail::StandBy>(call.params)
      .and_then([&](const sail::StandBy& asked) { return successor.take(call.peer, asked); });
}

Answer journal_read(const Call& call, const Successor& successor) {
  return sail::message_from_json<sail::JournalRead>(call.params)
      .and_then([&](const sail::JournalRead& asked) { return successor.read(call.peer, asked); });
}

}  // namespace manager::verbs
