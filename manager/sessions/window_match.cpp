#include "manager/sessions/window_match.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "manager/media/play_request.h"
#include "sail/core/text/json.h"

namespace manager {
namespace {

std::string content_key(const std::optional<PlayRequest>& content, const std::string& title,
                        const std::string& application) {
  if (!content) return title + '\n' + application;
  sail::Json key = to_json(*content);
  for (const char* changeable : {"at_end", "group", "opener", "rate", "sound_track", "start",
                                 "subtitles", "title", "volume"}) {
    key.erase(changeable);
  }
  return key.dump();
}

// Matches the remaining saved windows with the remaining open ones, by one key.
template <typename Key, typename KeyOfSaved, typename KeyOfWindow>
void match_by(const std::vector<SavedWindow>& saved, const std::vector<const Window*>& windows,
              std::vector<uint32_t>& matched, std::set<uint32_t>& taken, KeyOfSaved key_of_saved,
              KeyOfWindow key_of_window) {
  std::multimap<Key, uint32_t> free;
  for (const Window* window : windows) {
    if (!taken.contains(window->number)) free.emplace(key_of_window(*window), window->number);
  }
  for (size_t i = 0; i < saved.size(); ++i) {
    if (matched[i] != 0) continue;
    const auto found = free.find(key_of_saved(saved[i]));
    if (found == free.end()) continue;
    matched[i] = found->second;
    taken.insert(found->second);
    free.erase(found);
  }
}

}  // namespace

std::vector<uint32_t> match_windows(const std::vector<SavedWindow>& saved,
                                    const WindowStack& windows) {
  std::vector<const Window*> by_number;
  for (const Window& window : windows.bottom_to_top()) {
    if (window.arranged()) by_number.push_back(&window);
  }
  std::sort(by_number.begin(), by_number.end(),
            [](const Window* a, const Window* b) { return a->number < b->number; });
  std::vector<uint32_t> matched(saved.size(), 0);
  std::set<uint32_t> taken;
  using Both = std::pair<uint32_t, std::string>;
  match_by<Both>(
      saved, by_number, matched, taken,
      [](const SavedWindow& window) { return Both(window.number, window.title); },
      [](const Window& window) { return Both(window.number, window.title); });
  match_by<std::string>(
      saved, by_number, matched, taken, [](const SavedWindow& window) { return window.title; },
      [](const Window& window) { return window.title; });
  std::vector<size_t> left;
  for (size_t i = 0; i < saved.size(); ++i) {
    if (matched[i] == 0) left.push_back(i);
  }
  std::sort(left.begin(), left.end(),
            [&](size_t a, size_t b) { return saved[a].number < saved[b].number; });
  auto next = left.begin();
  for (const Window* window : by_number) {
    if (next == left.end()) break;
    if (!taken.contains(window->number)) matched[*next++] = window->number;
  }
  return matched;
}

std::vector<uint32_t> match_content(const std::vector<SavedWindow>& saved,
                                    const std::vector<const Window*>& open) {
  std::multimap<std::string, const Window*> free;
  for (const Window* window : open) {
    free.emplace(content_key(window->content, window->title, window->owner_name), window);
  }
  std::vector<uint32_t> matched(saved.size(), 0);
  for (const bool only_in_place : {true, false}) {
    for (size_t i = 0; i < saved.size(); ++i) {
      if (matched[i] != 0) continue;
      const auto [first, last] =
          free.equal_range(content_key(saved[i].content, saved[i].title, saved[i].owner));
      const auto found = std::find_if(first, last, [&](const auto& one) {
        return !only_in_place || one.second->wall_rect == saved[i].placement.wall_rect;
      });
      if (found == last) continue;
      matched[i] = found->second->number;
      free.erase(found);
    }
  }
  return matched;
}

}  // namespace manager
