#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

void session_restore(const Caller& caller, const sail::Json& params, const Reply& reply) {
  const auto name = only_name(params, "session_restore");
  if (!name) {
    reply(name.error());
    return;
  }
  const auto session = caller.manager.saved_walls(SavedKind::kSession).load(*name);
  if (!session) {
    reply(session.error());
    return;
  }
  caller.manager.restore(*session, *name, caller.session,
                         [reply](const sail::Result<Relaunched>& result) {
                           reply(result.map([](const Relaunched& relaunched) {
                             return sail::Json{{"started", relaunched.started},
                                               {"failed", failures_json(relaunched.failed)}};
                           }));
                         });
}

}  // namespace manager::verbs
