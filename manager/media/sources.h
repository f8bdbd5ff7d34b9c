// The list of sources that clients search, and the data behind each source. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manager/media/media_facts.h"
#include "manager/wall/step.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

enum class SourceKind { kFile, kTest, kUrl, kCommand, kApplication };
const char* source_kind_name(SourceKind kind);
std::optional<SourceKind> parse_source_kind(std::string_view name);

// An id is only a key: its medium is looked up, never built from the id.
struct Source {
  std::string id;  // "media1/films/a.mp4", "url/rtsp://…", "test/1920x1080@30"
  SourceKind kind = SourceKind::kFile;
  std::string title;
  std::string detail;  // the source's location, for people
  std::optional<sail::Size> size;
  std::string media;                   // What a player opens; empty for commands and applications.
  std::vector<std::string> arguments;  // Program and arguments of a command.
  std::optional<SavedCamera> camera;   // set for a saved URL
  // The fields below are only for files.
  uint64_t bytes = 0;
  std::string stamp;                // See FileVersion.
  std::optional<MediaFacts> facts;  // Set once the file was probed.
};
FileVersion version_of(const Source& file);

// kList: the list's own order, by folder and name.
enum class SourceOrder { kList, kName, kNewest, kLargest, kLongest };
std::optional<SourceOrder> parse_source_order(std::string_view name);

struct SourceQuery {
  std::string search{};  // Each word must be in title or detail; ignores case.
  std::optional<SourceKind> kind{};
  std::string folder{};            // Files in it and below; empty: all sources.
  std::vector<std::string> ids{};  // Only these, in this order; empty: all.
  SourceOrder order = SourceOrder::kList;
  size_t offset = 0;
  size_t count = 100;
};

struct FoundSources {
  size_t total = 0;
  std::vector<const Source*> listed;
};
// Returns the sources that match the query, in its order. Unplayable files come last.
FoundSources find_sources(const std::vector<const Source*>& all, const SourceQuery& query);
// Returns the folders of the files, each once, by name: "media1/films".
std::vector<std::string> folders_of(const std::vector<const Source*>& all);
sail::Json source_json(const Source& source);

// Cameras as files and vitrail-camera have them.
sail::Json camera_json(const SavedCamera& camera);
sail::Result<SavedCamera> camera_from_json(const sail::Json& json);

// Returns test cards of the usual sizes.
std::vector<Source> test_sources();

// Whether it is a URL of a known network scheme. Others could name any file or device of this host.
bool is_stream_url(std::string_view url);
// Whether it is a web page ("web:https://…") or a remote desktop ("vnc://…"). Opening it makes this
// host connect to other machines.
bool is_elsewhere(std::string_view medium);
// Returns the source of a saved URL. kInvalidParams: no kind of URL that can be shown.
sail::Result<Source> url_source(const std::string& url, const std::string& title);

// Returns the NAME of a saved command.
std::string command_name(const Source& command);
// Reads saved commands: {"NAME": {"title": …, "arguments": [program, …]}}.
sail::Result<std::vector<Source>> parse_commands(const sail::Json& json);

// Scans folders for files that bplay and vitrail-show can display. Blocks on the disk; call it in
// the background.
struct MediaFolder {
  std::string id;    // Prefix of its files' ids.
  std::string path;  // On this host.
};

constexpr int kDeepestMedia = 12;         // Maximum depth of folders.
constexpr size_t kMostMedia = 20'000;     // Files of all folders.
constexpr size_t kMostEntries = 200'000;  // Folder entries read for them.

// Returns the file's current stamp (see FileVersion); empty: not a file.
std::string file_stamp(const std::string& path);

struct FoundMedia {
  std::vector<Source> sources;  // Sorted by id.
  size_t unlisted = 0;  // Further files, whose names are not UTF-8 or have control characters.
  std::string example;  // Path of one of them, with '?' for such bytes.
};
// Returns the files with an extension of films, pictures and documents. Skips hidden files and
// links to files outside their folder. Unreadable folders count as empty.
FoundMedia scan_media(const std::vector<MediaFolder>& folders);

}  // namespace manager
