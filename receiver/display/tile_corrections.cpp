#include "receiver/display/tile_corrections.h"

#include <fmt/core.h>

#include "receiver/display/cube_file.h"
#include "sail/core/text/text.h"

namespace receiver {

void TileCorrections::load(const std::vector<sail::TileInfo>& tiles) {
  tables_.assign(tiles.size(), std::nullopt);
  trouble_.clear();
  for (size_t i = 0; i < tiles.size(); ++i) {
    if (!tiles[i].correction) continue;
    const sail::Correction& correction = *tiles[i].correction;
    if (correction.lut.empty()) {
      tables_[i].emplace(correction.gain, correction.gamma, nullptr);
      continue;
    }
    const auto lut = load_cube(correction.lut);
    if (lut) {
      tables_[i].emplace(correction.gain, correction.gamma, &*lut);
    } else if (trouble_.empty()) {
      trouble_ = sail::make_plain_text(
          fmt::format("tile '{}' is shown uncorrected: {}", tiles[i].name, lut.error().message),
          sail::kMaxCloseText);
    }
  }
}

}  // namespace receiver
