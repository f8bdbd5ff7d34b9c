#include <fmt/core.h>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

namespace {

constexpr size_t kMostAtOnce = 500;
constexpr size_t kLongestSearch = 200;
constexpr int64_t kLastOffset = 1'000'000;

sail::Result<SourceQuery> read_query(const sail::Json& params) {
  sail::JsonFields fields(params, "sources");
  SourceQuery query;
  query.search = fields.string_or("search", kLongestSearch, "");
  if (fields.has("kind")) {
    query.kind = parse_source_kind(fields.string("kind", sail::kMaxNameLength));
    if (!query.kind) {
      fields.mistake("kind", "must be file, test, url, command or application");
    }
  }
  query.offset = static_cast<size_t>(fields.integer_or("offset", 0, kLastOffset, 0));
  query.count = static_cast<size_t>(fields.integer_or("count", 1, kMostAtOnce, 100));
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  return query;
}

Source application_source(const Window& window) {
  Source source;
  source.id = fmt::format("window/{}", window.number);
  source.kind = SourceKind::kApplication;
  source.title = window.title;
  source.detail = window.owner_name;
  source.size = window.frame_size;
  return source;
}

}  // namespace

void sources(const Caller& caller, const sail::Json& params, const Reply& reply) {
  const auto query = read_query(params);
  if (!query) {
    reply(tl::make_unexpected(query.error()));
    return;
  }
  caller.manager.sources().refresh([&manager = caller.manager, query = *query, reply] {
    std::vector<Source> applications;
    for (const Window& window : manager.windows().bottom_to_top()) {
      applications.push_back(application_source(window));
    }
    std::vector<const Source*> all = manager.sources().all();
    for (const Source& source : applications) all.push_back(&source);
    reply(sources_json(all, query));
  });
}

}  // namespace manager::verbs
