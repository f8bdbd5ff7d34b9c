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
  if (auto error = fields.finish()) return *error;
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

// `act` gets the list as it is now, with what is on the wall.
template <typename Act>
auto with_all(const FsManager& manager, const SourceLibrary& library, const Act& act) {
  std::vector<Source> applications;
  for (const Window& window : manager.windows().bottom_to_top()) {
    applications.push_back(application_source(window));
  }
  std::vector<const Source*> all = library.all();
  for (const Source& source : applications) all.push_back(&source);
  return act(all);
}

sail::Json answer(const SourceLibrary& library, const FoundSources& found) {
  sail::Json json = {{"total", found.total}, {"sources", sail::Json::array()}};
  for (const Source* source : found.listed) json["sources"].push_back(source_json(*source));
  if (const size_t left = library.not_looked_at(found.listed)) json["unprobed"] = left;
  const UploadOptions& uploads = library.uploads();
  if (uploads.folder.empty()) return json;
  json["uploads"] = {{"used_bytes", library.upload_bytes()},
                     {"quota_bytes", uploads.quota_bytes},
                     {"most_bytes", uploads.most_bytes}};
  return json;
}

}  // namespace

void sources(const Caller& caller, const sail::Json& params, const Reply& reply) {
  const auto query = read_query(params);
  if (!query) {
    reply(query.error());
    return;
  }
  FsManager& manager = caller.manager;
  manager.sources().refresh([&manager, query = *query, reply] {
    SourceLibrary& library = manager.sources();
    const auto told = [&manager, &library, query, reply] {
      reply(with_all(manager, library,
                     [&](const auto& all) { return answer(library, find_sources(all, query)); }));
    };
    with_all(manager, library,
             [&](const auto& all) { library.look_at(find_sources(all, query).listed, told); });
  });
}

}  // namespace manager::verbs
