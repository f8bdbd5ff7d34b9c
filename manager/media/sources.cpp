#include "manager/media/sources.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"

namespace manager {
namespace {

constexpr std::pair<SourceKind, const char*> kKinds[] = {{SourceKind::kFile, "file"},
                                                         {SourceKind::kTest, "test"},
                                                         {SourceKind::kUrl, "url"},
                                                         {SourceKind::kCommand, "command"},
                                                         {SourceKind::kApplication, "application"}};

constexpr std::pair<SourceOrder, const char*> kOrders[] = {{SourceOrder::kName, "name"},
                                                           {SourceOrder::kNewest, "newest"},
                                                           {SourceOrder::kLargest, "largest"},
                                                           {SourceOrder::kLongest, "longest"}};

constexpr std::string_view kSchemes[] = {"rtsp", "rtsps", "rtmp", "http", "https", "s3",
                                         "sftp", "nfs",   "srt",  "udp",  "rtp",   "tcp"};
constexpr std::string_view kCommandId = "command/";
constexpr size_t kLongestUrl = 2048;
constexpr size_t kMostCommands = 1000;
constexpr size_t kMostArguments = 256;
constexpr size_t kLongestArgument = 4096;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  const std::string all = sail::lower(text);
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find(' ', at), all.size());
    if (end > at) found.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

bool has_all(const Source& source, const std::vector<std::string>& wanted) {
  const std::string text = sail::lower(source.title) + '\n' + sail::lower(source.detail);
  return std::all_of(wanted.begin(), wanted.end(), [&text](const std::string& word) {
    return text.find(word) != std::string::npos;
  });
}

bool is_in(const Source& source, const std::string& folder) {
  return folder.empty() || (source.kind == SourceKind::kFile && source.detail.starts_with(folder) &&
                            source.detail.substr(folder.size()).starts_with('/'));
}

// Sort key: the newest file first, by its stamp; sources without a stamp last. The epoch of stamps
// is in the future, so current stamps are negative.
int64_t age(const Source& source) {
  return source.stamp.empty() ? std::numeric_limits<int64_t>::max()
                              : -std::strtoll(source.stamp.c_str(), nullptr, 16);
}

double seconds_of(const Source& source) {
  return source.facts ? source.facts->duration_s.value_or(0) : 0;
}

void sort_sources(std::vector<const Source*>& found, const SourceQuery& query) {
  const auto by = [&found](const auto& key) {
    std::ranges::stable_sort(found, std::ranges::less(), key);
  };
  if (!query.ids.empty()) {
    by([&query](const Source* one) { return std::ranges::find(query.ids, one->id); });
  }
  switch (query.order) {
    case SourceOrder::kList:
      return;
    case SourceOrder::kName:
      return by([](const Source* one) { return sail::lower(one->title); });
    case SourceOrder::kNewest:
      return by([](const Source* one) { return age(*one); });
    case SourceOrder::kLargest:
      return by([](const Source* one) { return -static_cast<int64_t>(one->bytes); });
    case SourceOrder::kLongest:
      return by([](const Source* one) { return -seconds_of(*one); });
  }
}

bool is_unplayable(const Source* source) {
  return source->facts && !source->facts->unplayable.empty();
}

sail::Result<Source> command_source(const std::string& name, const sail::Json& json) {
  sail::JsonFields fields(json, fmt::format("command '{}'", name));
  Source source;
  source.id = std::string(kCommandId) + name;
  source.kind = SourceKind::kCommand;
  source.title = fields.string_or("title", sail::kMaxTitleLength, name);
  const sail::Json& arguments = fields.array("arguments", kMostArguments);
  for (const sail::Json& argument : arguments) {
    const auto* text = argument.get_ptr<const std::string*>();
    if (text == nullptr || text->size() > kLongestArgument ||
        text->find('\0') != std::string::npos) {
      fields.mistake("arguments", "must be a list of strings: the program, then its arguments");
      break;
    }
    source.arguments.push_back(*text);
    source.detail += (source.detail.empty() ? "" : " ") + *text;
  }
  if (arguments.empty() || source.arguments.empty() || source.arguments.front().empty()) {
    fields.mistake("arguments", "must begin with the program");
  }
  source.detail = sail::make_plain_text(source.detail, sail::kMaxTitleLength);
  if (auto error = fields.finish()) return *error;
  return source;
}

}  // namespace

const char* source_kind_name(SourceKind kind) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [kind](const auto& known) { return known.first == kind; });
  return found->second;
}

std::optional<SourceKind> parse_source_kind(std::string_view name) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [name](const auto& known) { return known.second == name; });
  if (found == std::end(kKinds)) return std::nullopt;
  return found->first;
}

FileVersion version_of(const Source& file) {
  return {.path = file.media, .stamp = file.stamp};
}

std::optional<SourceOrder> parse_source_order(std::string_view name) {
  const auto* found = std::ranges::find(
      kOrders, name, [](const auto& known) { return std::string_view(known.second); });
  if (found == std::end(kOrders)) return std::nullopt;
  return found->first;
}

FoundSources find_sources(const std::vector<const Source*>& all, const SourceQuery& query) {
  const std::vector<std::string> wanted = words(query.search);
  std::vector<const Source*> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](const Source* source) {
    return (!query.kind || source->kind == *query.kind) && has_all(*source, wanted) &&
           is_in(*source, query.folder) &&
           (query.ids.empty() || std::ranges::find(query.ids, source->id) != query.ids.end());
  });
  sort_sources(found, query);
  std::stable_partition(found.begin(), found.end(), std::not_fn(is_unplayable));
  const size_t first = std::min(query.offset, found.size());
  const size_t count = std::min(query.count, found.size() - first);
  const auto from = found.begin() + static_cast<ptrdiff_t>(first);
  return {.total = found.size(), .listed = {from, from + static_cast<ptrdiff_t>(count)}};
}

std::vector<std::string> folders_of(const std::vector<const Source*>& all) {
  std::set<std::string> folders;
  for (const Source* source : all) {
    if (source->kind != SourceKind::kFile) continue;
    folders.insert(source->detail.substr(0, source->detail.rfind('/')));
  }
  return {folders.begin(), folders.end()};
}

sail::Json source_json(const Source& source) {
  sail::Json json = {{"source", source.id},
                     {"kind", source_kind_name(source.kind)},
                     {"title", source.title},
                     {"detail", source.detail}};
  if (source.size) json["size"] = sail::size_json(*source.size);
  if (source.kind == SourceKind::kFile) json["bytes"] = source.bytes;
  if (source.camera && !source.camera->moving.empty()) json["moves"] = true;
  if (!source.facts) return json;
  const MediaFacts& facts = *source.facts;
  if (facts.size) json["size"] = sail::size_json(*facts.size);
  if (facts.duration_s) json["duration_s"] = *facts.duration_s;
  if (facts.pages) json["pages"] = *facts.pages;
  if (!facts.unplayable.empty()) json["unplayable"] = facts.unplayable;
  return json;
}

sail::Json camera_json(const SavedCamera& camera) {
  return {{"device", camera.device}, {"moving", camera.moving}, {"profile", camera.profile}};
}

sail::Result<SavedCamera> camera_from_json(const sail::Json& json) {
  constexpr size_t kLongestCameraUrl = 1024;
  constexpr size_t kLongestToken = 128;
  sail::JsonFields fields(json, "camera");
  SavedCamera camera{.device = fields.string("device", kLongestCameraUrl),
                     .moving = fields.string("moving", kLongestCameraUrl),
                     .profile = fields.string("profile", kLongestToken)};
  if (auto error = fields.finish_open()) return *error;
  return camera;
}

std::vector<Source> test_sources() {
  struct Card {
    sail::Size size;
    int fps;
  };
  constexpr Card kCards[] = {{{1280, 720}, 60},
                             {{1920, 1080}, 30},
                             {{1920, 1080}, 60},
                             {{3840, 2160}, 30},
                             {{3840, 2160}, 60}};
  std::vector<Source> sources;
  for (const Card& card : kCards) {
    const std::string name = fmt::format("{}x{}@{}", card.size.width, card.size.height, card.fps);
    Source source;
    source.id = "test/" + name;
    source.kind = SourceKind::kTest;
    source.title =
        fmt::format("Test card {}×{}, {} fps", card.size.width, card.size.height, card.fps);
    source.detail = "generated by bplay";
    source.size = card.size;
    source.media = "test:" + name;
    sources.push_back(std::move(source));
  }
  return sources;
}

bool is_stream_url(std::string_view url) {
  const size_t colon = url.find("://");
  if (colon == std::string_view::npos || url.size() <= colon + 3) return false;
  const bool known =
      std::ranges::find(kSchemes, sail::lower(url.substr(0, colon))) != std::end(kSchemes);
  return known && url.size() <= kLongestUrl && !sail::name_mistake(url) &&
         url.find_first_of(" \t\r\n") == std::string_view::npos;
}

bool is_elsewhere(std::string_view medium) {
  return medium.size() <= kLongestUrl && (sail::names_page(medium) || sail::names_desktop(medium));
}

sail::Result<Source> url_source(const std::string& url, const std::string& title) {
  if (!is_stream_url(url) && !is_elsewhere(url)) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        "'url' must be rtsp://…, rtsps://, rtmp://, http://, https://, s3://, sftp://, "
        "nfs://, srt://, udp://, rtp:// or tcp://, web:https://… or vnc://…, of at "
        "most 2048 bytes");
  }
  const std::string shown = sail::without_passwords(url);
  Source source;
  source.id = "url/" + shown;
  source.kind = SourceKind::kUrl;
  source.title = sail::make_plain_text(title.empty() ? shown : sail::without_passwords(title),
                                       sail::kMaxTitleLength);
  source.detail = shown;
  source.media = url;
  return source;
}

std::string command_name(const Source& command) {
  return command.id.substr(kCommandId.size());
}

sail::Result<std::vector<Source>> parse_commands(const sail::Json& json) {
  if (!json.is_object() || json.size() > kMostCommands) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      R"(must be an object: {"NAME": {"title": …, "arguments": […]}})");
  }
  std::vector<Source> sources;
  for (const auto& [name, command] : json.items()) {
    if (name.empty() || name.size() > sail::kMaxNameLength || sail::name_mistake(name)) {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        "the name of a command must have 1 to 64 bytes, all printable");
    }
    auto source = command_source(name, command);
    if (!source) return source.error();
    sources.push_back(std::move(*source));
  }
  return sources;
}

}  // namespace manager
