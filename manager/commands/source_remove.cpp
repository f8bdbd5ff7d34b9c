#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"

namespace manager::verbs {

Answer source_remove(const Caller& caller, const sail::Json& params) {
  constexpr size_t kLongestId = 4096;
  sail::JsonFields fields(params, "source_remove");
  const std::string id = fields.string("source", kLongestId);
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  const auto removed = caller.manager.sources().remove(id);
  if (!removed) return tl::make_unexpected(removed.error());
  return sail::Json{{"source", id}};
}

}  // namespace manager::verbs
