#include "manager/media/playlists.h"

#include <fmt/core.h>

#include <algorithm>

#include "manager/media/play_request.h"
#include "sail/core/base/private_file.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr size_t kMostPlaylistsFile = 8 * kMostPlaylistBytes;  // Bytes, with indentation.

sail::Result<std::pair<std::string, PlaylistItems>> read_playlist(const sail::Json& value,
                                                                  const std::string& where) {
  sail::JsonFields fields(value, where);
  std::pair<std::string, PlaylistItems> list;
  list.first = fields.string("name", sail::kMaxNameLength);
  if (list.first.empty()) fields.mistake("name", "must not be empty");
  const sail::Json& items = fields.array("items", kMostPlaylistItems);
  if (auto error = fields.finish_open()) return *error;
  for (size_t i = 0; i < items.size(); ++i) {
    auto item = read_playlist_item(items[i], fmt::format("{}.items[{}]", where, i));
    if (!item) return item.error();
    list.second.push_back(std::move(*item));
  }
  return list;
}

sail::Result<void> check_limits(const PlaylistMap& lists) {
  const auto refuse = [](const std::string& why) {
    return sail::fail(sail::ErrorCode::kLimit, why);
  };
  if (lists.size() > kMostPlaylists) {
    return refuse(fmt::format("there are {} playlists, the maximum: delete one", kMostPlaylists));
  }
  for (const auto& [name, items] : lists) {
    if (items.size() > kMostPlaylistItems) {
      return refuse(fmt::format("the playlist '{}' would have {} items, the maximum is {}", name,
                                items.size(), kMostPlaylistItems));
    }
    if (const size_t bytes = bytes_of(items); bytes > kMostItemBytes) {
      return refuse(
          fmt::format("the names of the items of the playlist '{}' would have {} bytes, "
                      "the maximum is {}: use fewer items, or shorter paths",
                      name, bytes, kMostItemBytes));
    }
  }
  if (playlists_json(lists).dump().size() <= kMostPlaylistBytes) return {};
  return refuse(fmt::format("all playlists together would have more than {} bytes: delete one",
                            kMostPlaylistBytes));
}

}  // namespace

std::string PlaylistItem::text() const {
  return title.empty()
             ? sail::make_plain_text(sail::without_passwords(medium), sail::kMaxTitleLength)
             : title;
}

size_t bytes_of(const PlaylistItems& items) {
  size_t bytes = 0;
  for (const PlaylistItem& item : items) bytes += item.medium.size() + item.title.size();
  return bytes;
}

sail::Json to_json(const PlaylistItem& item) {
  sail::Json json = {{"medium", item.medium}};
  if (!item.title.empty()) json["title"] = item.title;
  if (item.stay_ms > 0) json["seconds"] = static_cast<double>(item.stay_ms) / 1000;
  return json;
}

int64_t read_stay_ms(sail::JsonFields& fields) {
  if (!fields.has("seconds")) return 0;
  return static_cast<int64_t>(1000 * fields.number("seconds", kMinTurnSeconds, kMaxTurnSeconds));
}

sail::Result<PlaylistItem> read_playlist_item(const sail::Json& value, const std::string& where) {
  sail::JsonFields fields(value, where);
  PlaylistItem item{.medium = fields.raw_string("medium", kLongestMedium),
                    .title = fields.string_or("title", kLongestMedium, ""),
                    .stay_ms = read_stay_ms(fields)};
  if (!is_medium(item.medium)) fields.mistake("medium", "must be a medium that can be played");
  if (auto error = fields.finish_open()) return *error;
  return item;
}

sail::Json playlists_json(const PlaylistMap& lists) {
  sail::Json all = sail::Json::array();
  for (const auto& [name, list] : lists) {
    sail::Json items = sail::Json::array();
    for (const PlaylistItem& item : list) items.push_back(to_json(item));
    all.push_back({{"name", name}, {"items", std::move(items)}});
  }
  return {{kKeptPlaylists, std::move(all)}};
}

sail::Result<PlaylistMap> playlists_from_json(const sail::Json& document) {
  sail::JsonFields fields(document, kKeptPlaylists);
  const sail::Json& all = fields.array(kKeptPlaylists, kMostPlaylists);
  if (auto error = fields.finish_open()) return *error;
  PlaylistMap lists;
  for (size_t i = 0; i < all.size(); ++i) {
    auto list = read_playlist(all[i], fmt::format("{}[{}]", kKeptPlaylists, i));
    if (!list) return list.error();
    lists.insert(std::move(*list));
  }
  if (auto good = check_limits(lists); !good) return good.error();
  return lists;
}

Playlists::Playlists(const std::filesystem::path& state_folder)
    : file_(state_folder.empty() ? "" : state_folder / "playlists.json") {
  if (file_.empty()) return;
  const auto text = sail::read_file(file_, kMostPlaylistsFile);
  if (!text && text.error().code == sail::ErrorCode::kNotFound) return;
  auto lists =
      text.and_then([](const auto& read) { return sail::parse_json(read, kMostPlaylistsFile); })
          .and_then(playlists_from_json);
  if (lists) {
    lists_ = std::move(*lists);
    return;
  }
  const auto aside = sail::set_aside(file_);
  damage_ = fmt::format(
      "{}: {}: there are no playlists; {}. Save them again with `vitrail playlist save`",
      file_.string(), lists.error().message,
      aside ? "the file is kept as " + aside->string() : aside.error().message);
}

sail::Result<const PlaylistItems*> Playlists::find(const std::string& name) const {
  const auto found = lists_.find(name);
  if (found != lists_.end()) return &found->second;
  return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no playlist '{}'", name));
}

sail::Json Playlists::summary() const {
  sail::Json list = sail::Json::array();
  for (const auto& [name, items] : lists_) {
    list.push_back({{"name", name}, {"items", items.size()}});
  }
  return list;
}

// --- changes

sail::Result<void> Playlists::keep(PlaylistMap changed) {
  if (auto good = check_limits(changed); !good) return good;
  if (!file_.empty()) {
    auto kept = sail::make_private_folder(file_.parent_path()).and_then([&] {
      return sail::write_private_file(file_, playlists_json(changed).dump(1) + '\n');
    });
    if (!kept) return kept;
  }
  lists_ = std::move(changed);
  damage_.clear();
  if (on_changed_) on_changed_();
  return {};
}

sail::Result<PlaylistItems> Playlists::items_with(const std::string& name, size_t first,
                                                  size_t second) const {
  const auto items = find(name);
  if (!items) return items.error();
  const size_t last = std::max(first, second);
  if (last < (*items)->size()) return **items;
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("the playlist '{}' has no item {}: it has {} items", name, last + 1,
                                (*items)->size()));
}

sail::Result<void> Playlists::save(const std::string& name, PlaylistItems items) {
  PlaylistMap changed = lists_;
  changed[name] = std::move(items);
  return keep(std::move(changed));
}

sail::Result<void> Playlists::add(const std::string& name, const PlaylistItems& items) {
  const auto former = find(name);
  if (!former) return former.error();
  PlaylistItems longer = **former;
  longer.insert(longer.end(), items.begin(), items.end());
  return save(name, std::move(longer));
}

sail::Result<void> Playlists::move(const std::string& name, size_t item, size_t to) {
  auto items = items_with(name, item, to);
  if (!items) return items.error();
  const auto at = [&](size_t position) {
    return items->begin() + static_cast<ptrdiff_t>(position);
  };
  if (item < to) {
    std::rotate(at(item), at(item + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(item), at(item + 1));
  }
  return save(name, std::move(*items));
}

sail::Result<void> Playlists::remove(const std::string& name, size_t item) {
  auto items = items_with(name, item, item);
  if (!items) return items.error();
  items->erase(items->begin() + static_cast<ptrdiff_t>(item));
  return save(name, std::move(*items));
}

sail::Result<void> Playlists::erase(const std::string& name) {
  if (const auto found = find(name); !found) return found.error();
  PlaylistMap changed = lists_;
  changed.erase(name);
  return keep(std::move(changed));
}

}  // namespace manager
