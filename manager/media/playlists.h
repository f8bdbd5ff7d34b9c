// The playlists of the wall: named lists of media. Kept as playlists.json in the state folder. Runs
// on the loop thread; functions block on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

constexpr const char* kKeptPlaylists = "playlists";  // See sail/core/wire/standby.h.
constexpr size_t kMostPlaylists = 100;
constexpr size_t kMostPlaylistItems = 1000;       // items of one playlist
constexpr size_t kMostItemBytes = 128 << 10;      // media and titles of one playlist or tour
constexpr size_t kMostPlaylistBytes = 512 << 10;  // All playlists as JSON fit a control line.
constexpr double kMinTurnSeconds = 1;
constexpr double kMaxTurnSeconds = 86'400;

struct PlaylistItem {
  std::string medium;
  std::string title{};  // For people; empty: the medium.
  int64_t stay_ms = 0;  // How long it is shown; 0: the usual time.

  // Without passwords.
  std::string text() const;
};
using PlaylistItems = std::vector<PlaylistItem>;
using PlaylistMap = std::map<std::string, PlaylistItems>;  // By name.

size_t bytes_of(const PlaylistItems& items);  // bytes of media and titles

sail::Json to_json(const PlaylistItem& item);
sail::Result<PlaylistItem> read_playlist_item(const sail::Json& value, const std::string& where);
// Reads "seconds" as milliseconds; 0: it is missing.
int64_t read_stay_ms(sail::JsonFields& fields);

// The document in the file and for the standby.
sail::Json playlists_json(const PlaylistMap& lists);
sail::Result<PlaylistMap> playlists_from_json(const sail::Json& document);

class Playlists {
 public:
  // An empty state folder: playlists are not kept.
  explicit Playlists(const std::filesystem::path& state_folder);

  // Says what is wrong with the file and what to do; empty: nothing is wrong.
  const std::string& damage() const { return damage_; }
  const PlaylistMap& all() const { return lists_; }
  // kNotFound.
  sail::Result<const PlaylistItems*> find(const std::string& name) const;
  // For clients: names, and numbers of items.
  sail::Json summary() const;
  sail::Json kept() const { return playlists_json(lists_); }
  // Called after each change.
  void watch(std::function<void()> on_changed) { on_changed_ = std::move(on_changed); }

  // Changes fail with kLimit, kIo, and kNotFound if there is no such playlist or item. Items count
  // from 0. save() also creates.
  sail::Result<void> save(const std::string& name, PlaylistItems items);
  sail::Result<void> add(const std::string& name, const PlaylistItems& items);
  // The item gets this position.
  sail::Result<void> move(const std::string& name, size_t item, size_t to);
  sail::Result<void> remove(const std::string& name, size_t item);
  sail::Result<void> erase(const std::string& name);

 private:
  // Returns a copy of the items, in which these positions exist.
  sail::Result<PlaylistItems> items_with(const std::string& name, size_t first,
                                         size_t second) const;
  sail::Result<void> keep(PlaylistMap changed);

  const std::filesystem::path file_;  // Empty: none.
  PlaylistMap lists_;
  std::string damage_;
  std::function<void()> on_changed_;
};

}  // namespace manager
