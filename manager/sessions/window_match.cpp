#include "manager/sessions/content_match.h"

#include <algorithm>
#include <map>
#include <optional>
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
  for (const char* changeable :
       {"at_end", "group", "opener", "rate", "sound_track", "start", "subtitles", "volume"}) {
    key.erase(changeable);
  }
  return key.dump();
}

}  // namespace

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
