#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/state_json.h"

namespace manager::verbs {

void subscribe(const Caller& caller, const sail::Json& params, const Reply& reply) {
  sail::JsonFields fields(params, "subscribe");
  const Subscribers::Wants wants{.figures = fields.boolean_or("figures", false),
                                 .pointers = fields.boolean_or("pointers", false)};
  if (auto error = fields.finish()) {
    reply(*error);
    return;
  }
  caller.manager.announce(caller.session);
  // The state first: what it shows is published by then, so the next change has its next revision.
  reply(state_json(caller.manager, 0));
  for (const sail::Json& portion : rest_of_state_json(caller.manager)) {
    caller.session.peer().notify("changed", portion);
  }
  caller.manager.subscribe(caller.session, wants);
}

}  // namespace manager::verbs
