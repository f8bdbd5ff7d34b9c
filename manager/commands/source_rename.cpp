#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

void source_rename(const Caller& caller, const sail::Json& params, const Reply& reply) {
  constexpr size_t kLongestId = 4096;
  sail::JsonFields fields(params, "source_rename");
  const std::string id = fields.string("source", kLongestId);
  const std::string name = fields.string("name", sail::kMaxTitleLength);
  if (name.empty()) fields.mistake("name", "must not be empty");
  if (auto error = fields.finish()) {
    reply(*error);
    return;
  }
  caller.manager.sources().refresh([&sources = caller.manager.sources(), id, name, reply] {
    sources.rename(id, name, [reply](const sail::Result<Source>& renamed) {
      if (renamed) {
        reply(sail::Json{{"source", renamed->id}, {"title", renamed->title}});
      } else {
        reply(renamed.error());
      }
    });
  });
}

}  // namespace manager::verbs
