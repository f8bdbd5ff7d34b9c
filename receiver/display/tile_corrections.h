// The corrections of a node's panels. Displays apply them when they show a tile. Snapshots are not
// the panel: they stay uncorrected.
#pragma once

#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "codecs/color/panel_table.h"
#include "receiver/display/cube_file.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/stats.h"

namespace receiver {

class TileCorrections {
 public:
  // Computes the tables and reads their files. A tile whose file cannot be read has no correction.
  void load(const std::vector<sail::TileInfo>& tiles);

  // Null: the tile is shown as it is.
  const codecs::PanelTable* of(size_t tile) const {
    return tables_[tile] ? &*tables_[tile] : nullptr;
  }
  // Adds why a tile lacks its correction.
  sail::DisplayStats with_trouble(sail::DisplayStats stats) const {
    stats.uncorrected = trouble_;
    return stats;
  }

 private:
  std::vector<std::optional<codecs::PanelTable>> tables_;
  std::string trouble_;  // trouble of the first tile that has some
};

inline void TileCorrections::load(const std::vector<sail::TileInfo>& tiles) {
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
