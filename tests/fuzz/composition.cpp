// A composition playlist or an asset map: the times of its parts are in order and in bounds.
#include "sail/media/cinema/composition.h"

#include <string_view>

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(composition) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  if (const auto map = sail::parse_asset_map(xml)) {
    for (const auto& [id, path] : *map) {
      fuzz::require(!path.empty() && path.front() != '/' && !path.starts_with("../"),
                    "a path stays in the folder");
    }
  }
  const auto film = sail::parse_composition(xml);
  if (!film) return 0;
  int64_t end_ns = 0;
  for (const sail::CompositionPart& part : film->pictures) {
    fuzz::require(part.begin_ns == end_ns, "reels follow one another");
    fuzz::require(part.unit_at(part.time_ns(part.entry)) == part.entry, "times are exact");
    end_ns = part.end_ns();
    fuzz::require(end_ns > part.begin_ns, "a reel has a duration");
  }
  fuzz::require(film->pictures.size() <= sail::kMaxReels, "the number of reels is limited");
  return 0;
}
