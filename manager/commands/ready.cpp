#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/control_messages.h"

namespace manager::verbs {

Answer ready(const Caller& caller, const sail::Json& params) {
  const auto ready = sail::from_json<sail::Ready>(params);
  if (!ready) return ready.error();
  caller.manager.frame_ready(caller.session, *ready);
  return sail::Json::object();
}

}  // namespace manager::verbs
