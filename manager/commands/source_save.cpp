#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

Answer source_save(const Caller& caller, const sail::Json& params) {
  constexpr size_t kLongestUrl = 4096;
  sail::JsonFields fields(params, "source_save");
  const std::string url = fields.string("url", kLongestUrl);
  const std::string title = fields.string_or("title", sail::kMaxTitleLength, "");
  if (auto error = fields.finish()) return *error;
  const auto saved = caller.manager.sources().save_url(url, title);
  if (!saved) return saved.error();
  return sail::Json{{"source", saved->id}, {"title", saved->title}};
}

}  // namespace manager::verbs
