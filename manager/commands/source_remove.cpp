#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

void source_remove(const Caller& caller, const sail::Json& params, const Reply& reply) {
  constexpr size_t kLongestId = 4096;
  sail::JsonFields fields(params, "source_remove");
  const std::string id = fields.string("source", kLongestId);
  if (auto error = fields.finish()) {
    reply(*error);
    return;
  }
  // The file may be newer than the list.
  caller.manager.sources().refresh([&sources = caller.manager.sources(), id, reply] {
    sources.remove(id, [id, reply](const sail::Result<void>& removed) {
      if (removed) {
        reply(sail::Json{{"source", id}});
      } else {
        reply(removed.error());
      }
    });
  });
}

}  // namespace manager::verbs
