// Which receiver must be told what of the overlay: each hears only of what its tiles show any pixel
// of, and only when that differs from what it was told last. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sail/wall/visibility.h"
#include "sail/wall/wall.h"
#include "sail/wire/overlay.h"

namespace manager {

class OverlayFeed {
 public:
  explicit OverlayFeed(const sail::Wall& wall);

  void set_pointers(std::vector<sail::OverlayPointer> pointers) { pointers_ = std::move(pointers); }
  void set_labels(std::vector<sail::OverlayLabel> labels);
  // It knows of nothing, and is to be told.
  void receiver_joined(const std::string& receiver);
  void receiver_left(const std::string& receiver) { told_.erase(receiver); }
  // The same of one whose tile is not the wall's.
  void recorder_joined(const std::string& name, const sail::TileView& tile);
  void recorder_left(const std::string& name);

  // Receivers that are here.
  std::vector<std::string> receivers() const;
  // What is to be told to this one, which counts as told; nothing when it knows all. A line of it
  // always fits into kMaxControlLine: labels that do not are left out.
  std::optional<sail::Overlay> take(const std::string& receiver);

 private:
  struct Told {
    std::vector<sail::OverlayLabel> labels;
    std::vector<sail::OverlayPointer> pointers;
    bool labels_changed = false;  // since they were told
  };
  std::vector<sail::OverlayLabel> labels_of(const std::vector<sail::TileView>& tiles) const;

  std::map<std::string, std::vector<sail::TileView>> tiles_;  // of each receiver
  std::vector<sail::OverlayLabel> labels_;
  std::vector<sail::OverlayPointer> pointers_;
  std::map<std::string, Told> told_;  // receivers that are here
};

}  // namespace manager
