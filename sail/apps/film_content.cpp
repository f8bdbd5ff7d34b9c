#include "sail/apps/film_content.h"

#include <algorithm>
#include <filesystem>

#include "sail/apps/test_source.h"
#include "sail/wire/limits.h"
#include "sail/wire/text.h"

namespace sail {

std::vector<std::string> replayable(const std::vector<std::string>& films) {
  std::vector<std::string> media;
  size_t bytes = 0;
  for (const std::string& film : films) {
    std::error_code error;
    const bool named = is_test_url(film) || film.find("://") != std::string::npos;
    media.push_back(named ? film
                          : std::filesystem::absolute(film, error).lexically_normal().string());
    bytes += media.back().size();
    if (film == "-" || error || !is_plain_text(media.back())) return {};
  }
  if (media.size() > kMaxContentMedia || bytes > kMaxContentBytes) return {};
  return media;
}

}  // namespace sail
