// Requests of the standby manager.
#include "manager/commands/verbs.h"
#include "manager/failover/journal_server.h"

namespace manager::verbs {

Answer stand_by(const Call& call, JournalServer& journal_server) {
  return sail::message_from_json<sail::StandBy>(call.params)
      .and_then([&](const sail::StandBy& asked) { return journal_server.take(call.peer, asked); });
}

Answer journal_read(const Call& call, const JournalServer& journal_server) {
  return sail::message_from_json<sail::JournalRead>(call.params)
      .and_then(
          [&](const sail::JournalRead& asked) { return journal_server.read(call.peer, asked); });
}

}  // namespace manager::verbs
