// The corrections of a node's panels. Displays apply them when they show a tile. Snapshots are not
// the panel: they stay uncorrected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codecs/color/panel_table.h"
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
  std::string trouble_;  // of the first tile that has some
};

}  // namespace receiver
