// The sources that this wall can show.
#include <fmt/core.h>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/media/source_library.h"
#include "manager/peers/peers.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager::verbs {

namespace {

constexpr size_t kLongestId = 4096;
constexpr size_t kMostAtOnce = 500;
constexpr size_t kLongestSearch = 200;
constexpr int64_t kLastOffset = 1'000'000;
constexpr size_t kMostFolders = 1000;

sail::Result<SourceQuery> read_query(const Call& call) {
  sail::JsonFields fields = call.fields();
  SourceQuery query;
  query.search = fields.string_or("search", kLongestSearch, "");
  if (fields.has("kind")) {
    query.kind = parse_source_kind(fields.string("kind", sail::kMaxNameLength));
    if (!query.kind) {
      fields.mistake("kind", "must be file, test, url, command or application");
    }
  }
  query.folder = fields.string_or("folder", kLongestId, "");
  if (fields.has("ids")) query.ids = source_ids(fields, "ids");
  if (fields.has("order")) {
    const auto order = parse_source_order(fields.string("order", sail::kMaxNameLength));
    if (!order) fields.mistake("order", "must be name, newest, largest or longest");
    query.order = order.value_or(SourceOrder::kList);
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

// Calls `act` with all sources, including the applications on the wall.
template <typename Act>
auto with_all(const Desk& desk, const SourceLibrary& library, const Act& act) {
  std::vector<Source> applications;
  for (const Window& window : desk.windows().bottom_to_top()) {
    applications.push_back(application_source(window));
  }
  std::vector<const Source*> all = library.all();
  for (const Source& source : applications) all.push_back(&source);
  return act(all);
}

sail::Json answer(const SourceLibrary& library, const std::vector<const Source*>& all,
                  const FoundSources& found) {
  std::vector<std::string> folders = folders_of(all);
  folders.resize(std::min(folders.size(), kMostFolders));
  sail::Json json = {
      {"total", found.total}, {"sources", sail::Json::array()}, {"folders", folders}};
  for (const Source* source : found.listed) json["sources"].push_back(source_json(*source));
  if (const size_t left = library.count_unprobed(found.listed)) json["unprobed"] = left;
  const UploadOptions& uploads = library.uploads();
  if (uploads.folder.empty()) return json;
  json["uploads"] = {{"used_bytes", library.upload_bytes()},
                     {"quota_bytes", uploads.quota_bytes},
                     {"most_bytes", uploads.most_bytes}};
  return json;
}

}  // namespace

void sources(const Call& call, const Desk& desk, SourceLibrary& library) {
  const auto query = read_query(call);
  if (!query) {
    call.reply(query.error());
    return;
  }
  library.refresh([&desk, &library, query = *query, reply = call.reply] {
    const auto answer_now = [&desk, &library, query, reply] {
      reply(with_all(desk, library, [&](const auto& all) {
        return answer(library, all, find_sources(all, query));
      }));
    };
    with_all(desk, library, [&](const auto& all) {
      library.inspect(find_sources(all, query).listed, answer_now);
    });
  });
}

Answer source_save(const Call& call, SourceLibrary& library) {
  sail::JsonFields fields = call.fields();
  const std::string url = fields.string("url", kLongestId);
  const std::string title = fields.string_or("title", sail::kMaxTitleLength, "");
  if (auto error = fields.finish()) return *error;
  const auto saved = library.save_url(url, title);
  if (!saved) return saved.error();
  return sail::Json{{"source", saved->id}, {"title", saved->title}};
}

// source_remove and source_rename refresh first: the file may be newer than the list of sources.

void source_remove(const Call& call, Desk& desk, SourceLibrary& library) {
  sail::JsonFields fields = call.fields();
  const std::string id = fields.string("source", kLongestId);
  if (auto error = fields.finish()) {
    call.reply(*error);
    return;
  }
  library.refresh([&desk, &library, id, author = author_of(call.peer), reply = call.reply] {
    library.remove(id, [&desk, id, author, reply](const sail::Result<RemovedSource>& removed) {
      if (!removed) return reply(removed.error());
      HistoryEntry entry{.author = author, .removed = *removed};
      entry.what = fmt::format("removed '{}' from the sources", removed->title);
      desk.change([&](Arrangement& arrangement) { arrangement.history().add(std::move(entry)); });
      sail::Json answer = {{"source", id}};
      if (!removed->bin.empty()) answer["bin"] = removed->bin;
      reply(std::move(answer));
    });
  });
}

void source_bin(const Call& call, SourceLibrary& library) {
  library.list_bin([reply = call.reply](const std::vector<BinnedUpload>& files) {
    sail::Json list = sail::Json::array();
    for (const BinnedUpload& file : files) {
      list.push_back({{"bin", file.id},
                      {"title", sail::make_plain_text(file.name, sail::kMaxTitleLength)},
                      {"removed_at", file.removed_at_s},
                      {"bytes", file.bytes}});
    }
    reply(sail::Json{{"files", std::move(list)}, {"days", kBinDays}});
  });
}

void source_restore(const Call& call, SourceLibrary& library) {
  sail::JsonFields fields = call.fields();
  const RemovedSource removed{.title = "", .bin = fields.string("bin", kLongestId)};
  if (auto error = fields.finish()) {
    call.reply(*error);
    return;
  }
  library.restore(removed, [reply = call.reply](const sail::Result<Source>& source) {
    reply(source.map([](const Source& restored) {
      return sail::Json{{"source", restored.id}, {"title", restored.title}};
    }));
  });
}

void source_rename(const Call& call, SourceLibrary& library) {
  sail::JsonFields fields = call.fields();
  const std::string id = fields.string("source", kLongestId);
  const std::string name = fields.string("name", sail::kMaxTitleLength);
  if (name.empty()) fields.mistake("name", "must not be empty");
  if (auto error = fields.finish()) {
    call.reply(*error);
    return;
  }
  library.refresh([&library, id, name, reply = call.reply] {
    library.rename(id, name, [reply](const sail::Result<Source>& renamed) {
      reply(renamed.map([](const Source& source) {
        return sail::Json{{"source", source.id}, {"title", source.title}};
      }));
    });
  });
}

}  // namespace manager::verbs
