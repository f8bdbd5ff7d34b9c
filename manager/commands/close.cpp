#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

void close(const Caller& caller, const sail::Json& params, const Reply& reply) {
  auto window = only_window(caller, params, "close");
  if (window) window = find_unlocked(caller, (*window)->number);
  if (!window) {
    reply(tl::make_unexpected(window.error()));
    return;
  }
  const uint32_t number = (*window)->number;
  caller.manager.close_window(number, caller.session, [number, reply](bool forced) {
    reply(sail::Json{{"window", number}, {"forced", forced}});
  });
}

}  // namespace manager::verbs
