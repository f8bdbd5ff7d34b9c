// What the wall can show: the list that clients search, and what stands behind each entry. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manager/media_facts.h"
#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace manager {

enum class SourceKind { kFile, kTest, kUrl, kCommand, kApplication };
const char* source_kind_name(SourceKind kind);
std::optional<SourceKind> parse_source_kind(std::string_view name);

// Ids are keys and nothing else: what they stand for is looked up, never put together from them.
struct Source {
  std::string id;  // "media1/films/a.mp4", "url/rtsp://…", "test/1920x1080@30"
  SourceKind kind = SourceKind::kFile;
  std::string title;
  std::string detail;  // where it is, for people
  std::optional<sail::Size> size;
  std::string media;                   // what bplay opens; empty for commands and applications
  std::vector<std::string> arguments;  // of a command; the program first
  // Files only have these.
  uint64_t bytes = 0;
  std::string stamp;                // see FileVersion
  std::optional<MediaFacts> facts;  // once somebody has looked at it
};
FileVersion version_of(const Source& file);

// Any: the list's own order, by folder and name.
enum class SourceOrder { kList, kName, kNewest, kLargest, kLongest };
std::optional<SourceOrder> parse_source_order(std::string_view name);

// A source that was removed: how to have it again.
struct RemovedSource {
  std::string title;
  std::string bin{};  // an uploaded file's id there (upload_bin.h)
  std::string url{};  // else a URL that was saved

  bool operator==(const RemovedSource&) const = default;
};

struct SourceQuery {
  std::string search{};  // words that must all be in the title or the detail, in any case
  std::optional<SourceKind> kind{};
  std::string folder{};            // files in it and below; empty: all sources
  std::vector<std::string> ids{};  // only these, in this order; empty: all
  SourceOrder order = SourceOrder::kList;
  size_t offset = 0;
  size_t count = 100;
};

struct FoundSources {
  size_t total = 0;
  std::vector<const Source*> listed;
};
// Those of the list that the query asks for, in its order; last what nothing can show.
FoundSources find_sources(const std::vector<const Source*>& all, const SourceQuery& query);
// Folders of these files, each once, by name: "media1/films".
std::vector<std::string> folders_of(const std::vector<const Source*>& all);
sail::Json source_json(const Source& source);

// Test cards of the usual sizes.
std::vector<Source> test_sources();

// A URL of something that comes over a network; others could name any file or device of this host.
bool is_stream_url(std::string_view url);
// What other machines show: "web:https://…", "vnc://…". To open it is to have this one reach them.
bool is_elsewhere(std::string_view medium);
// The source of a URL that a person saved. kInvalidParams: no URL of a kind that is streamed.
sail::Result<Source> url_source(const std::string& url, const std::string& title);

// A saved launch command's NAME.
std::string command_name(const Source& command);
// Saved launch commands: {"NAME": {"title": …, "arguments": [program, …]}}.
sail::Result<std::vector<Source>> parse_commands(const sail::Json& json);

}  // namespace manager
