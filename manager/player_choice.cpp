#include "manager/player_choice.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sail/wire/text.h"

namespace manager {
namespace {

// GIF is left out: most of them are films.
constexpr std::array<std::string_view, 11> kStillEndings{
    ".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".svg", ".heic", ".heif", ".avif"};

bool ends_with(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() &&
         sail::same_word(name.substr(name.size() - ending.size()), ending);
}

// Addresses, and patterns of numbered pictures (name.%05d.png), are films.
bool is_still(std::string_view name) {
  if (name.find("://") != std::string_view::npos || name.find('%') != std::string_view::npos) {
    return false;
  }
  return std::ranges::any_of(kStillEndings,
                             [&](std::string_view ending) { return ends_with(name, ending); });
}

}  // namespace

const char* player_for(const PlayRequest& request) {
  if (request.fps || request.start_s || request.rate || request.volume) return kBplay;
  const bool stills = !request.media.empty() && std::ranges::all_of(request.media, is_still);
  return stills ? kShow : kBplay;
}

}  // namespace manager
