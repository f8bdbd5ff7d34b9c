#include <fmt/core.h>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"
#include "sail/wire/url_secret.h"

namespace manager::verbs {

Answer session_get(const Caller& caller, const sail::Json& params) {
  const auto name = only_name(params, "session_get");
  if (!name) return name.error();
  const auto session = caller.manager.saved_walls(SavedKind::kSession).load(*name);
  if (!session) return session.error();
  sail::Json document = to_json(*session, SavedKind::kSession);
  document["name"] = *name;
  document.erase("history");
  // Secrets stay here: those of programs, and those of cameras.
  for (sail::Json& window : document["windows"]) {
    window.erase("mark");
    if (!window.contains("content") || !window["content"].contains("media")) continue;
    for (sail::Json& medium : window["content"]["media"]) {
      medium = sail::without_passwords(medium.get<std::string>());
    }
  }
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
