#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

void close(const Caller& caller, const sail::Json& params, const Reply& reply) {
  auto numbers = one_or_many(caller, params, "close");
  for (size_t i = 0; numbers && i < numbers->size(); ++i) {
    if (auto free = find_unlocked(caller, (*numbers)[i]); !free) {
      numbers = free.error();
    }
  }
  if (!numbers) {
    reply(numbers.error());
    return;
  }
  const bool one = params.contains("window");
  caller.manager.close_windows(
      *numbers, caller.session, [one, numbers = *numbers, reply](const auto& forced) {
        if (one) {
          reply(sail::Json{{"window", numbers.front()}, {"forced", !forced.empty()}});
        } else {
          reply(sail::Json{{"windows", numbers}, {"forced", forced}});
        }
      });
}

}  // namespace manager::verbs
