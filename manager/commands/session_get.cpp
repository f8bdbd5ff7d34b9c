#include <fmt/core.h>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

Answer session_get(const Caller& caller, const sail::Json& params) {
  const auto name = only_name(params, "session_get");
  if (!name) return tl::make_unexpected(name.error());
  const auto session = caller.manager.saved_walls(SavedKind::kSession).load(*name);
  if (!session) return tl::make_unexpected(session.error());
  sail::Json document = to_json(*session, SavedKind::kSession);
  document["name"] = *name;
  document.erase("history");
  // The secrets of programs stay here.
  for (sail::Json& window : document["windows"]) window.erase("mark");
  constexpr size_t kMostBytes = sail::kMaxControlLine - 1024;  // beside the answer's own
  if (document.dump().size() <= kMostBytes) return document;
  for (sail::Json& window : document["windows"]) window.erase("thumbnail");
  if (document.dump().size() <= kMostBytes) return document;
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("the session '{}' is too large to be sent in one message: read "
                                "its file in the manager's folder (--state)",
                                *name));
}

}  // namespace manager::verbs
