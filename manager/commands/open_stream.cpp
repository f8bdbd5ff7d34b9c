#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/control_messages.h"

namespace manager::verbs {

void open_stream(const Caller& caller, const sail::Json& params, const Reply& reply) {
  const auto open = sail::from_json<sail::OpenStream>(params);
  if (!open) {
    reply(open.error());
    return;
  }
  caller.manager.open_stream(caller.session, *open, reply);
}

}  // namespace manager::verbs
