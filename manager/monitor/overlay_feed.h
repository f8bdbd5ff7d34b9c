// Tracks which overlay news each receiver needs. A receiver gets only the items that touch its
// tiles, and only if they differ from what it has. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/wall/visibility.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/overlay.h"

namespace manager {

class OverlayFeed {
 public:
  explicit OverlayFeed(const sail::Wall& wall);

  void set_pointers(std::vector<sail::OverlayPointer> pointers) { pointers_ = std::move(pointers); }
  void set_labels(std::vector<sail::OverlayLabel> labels);
  void set_drawings(std::vector<sail::OverlayDrawing> drawings);
  // The receiver has no overlay yet.
  void receiver_joined(const std::string& receiver);
  void receiver_left(const std::string& receiver) { last_sent_.erase(receiver); }
  // Like receiver_joined(), for a recorder, whose tile is not one of the wall's.
  void recorder_joined(const std::string& name, const sail::TileView& tile);
  void recorder_left(const std::string& name);

  // Connected receivers and recorders.
  std::vector<std::string> receivers() const;
  // Returns news for this receiver and marks them as sent; empty: there are no more. A message
  // always fits kMaxControlLine: labels beyond that are left out, and drawings come alone.
  std::optional<sail::Overlay> take(const std::string& receiver);

 private:
  struct LastSent {
    std::vector<sail::OverlayLabel> labels{};
    std::vector<sail::OverlayPointer> pointers{};
    std::vector<sail::OverlayDrawing> drawings{};
    bool labels_changed = true;  // Since the last send.
    bool drawings_changed = true;
  };
  std::vector<sail::OverlayLabel> labels_of(const std::vector<sail::TileView>& tiles) const;
  std::vector<sail::OverlayDrawing> drawings_of(const std::vector<sail::TileView>& tiles) const;

  std::map<std::string, std::vector<sail::TileView>> tiles_;  // By receiver.
  std::vector<sail::OverlayLabel> labels_;
  std::vector<sail::OverlayDrawing> drawings_;
  std::vector<sail::OverlayPointer> pointers_;
  std::map<std::string, LastSent> last_sent_;  // Last sent, by connected receiver.
};

}  // namespace manager
