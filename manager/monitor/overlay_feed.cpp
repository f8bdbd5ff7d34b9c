#include "manager/monitor/overlay_feed.h"

#include <algorithm>
#include <utility>

#include "sail/core/routing/overlay_shape.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

bool shows(const std::vector<sail::TileView>& tiles, const auto& rect_on) {
  return std::any_of(tiles.begin(), tiles.end(), [&](const sail::TileView& tile) {
    const sail::Rect whole{0, 0, tile.upright.width, tile.upright.height};
    return !sail::intersect(rect_on(tile), whole).empty();
  });
}

// Returns an upper bound of a label's size in the message, in which a character may take two bytes.
size_t bytes_of(const sail::OverlayLabel& label) {
  size_t bytes = 100;
  for (const std::string& line : label.lines) bytes += 2 * line.size() + 3;
  return bytes;
}

}  // namespace

OverlayFeed::OverlayFeed(const sail::Wall& wall) {
  for (const sail::Tile& tile : wall.tiles) {
    tiles_[tile.receiver].push_back({tile.wall_rect, tile.upright()});
  }
}

void OverlayFeed::set_labels(std::vector<sail::OverlayLabel> labels) {
  labels_ = std::move(labels);
  for (auto& [receiver, sent] : last_sent_) sent.labels_changed = true;
}

void OverlayFeed::set_drawings(std::vector<sail::OverlayDrawing> drawings) {
  if (drawings == drawings_) return;
  drawings_ = std::move(drawings);
  for (auto& [receiver, sent] : last_sent_) sent.drawings_changed = true;
}

void OverlayFeed::receiver_joined(const std::string& receiver) {
  last_sent_[receiver] = {};
}

void OverlayFeed::recorder_joined(const std::string& name, const sail::TileView& tile) {
  tiles_[name] = {tile};
  receiver_joined(name);
}

void OverlayFeed::recorder_left(const std::string& name) {
  receiver_left(name);
  tiles_.erase(name);
}

std::vector<std::string> OverlayFeed::receivers() const {
  std::vector<std::string> names;
  for (const auto& [receiver, sent] : last_sent_) names.push_back(receiver);
  return names;
}

std::vector<sail::OverlayLabel> OverlayFeed::labels_of(
    const std::vector<sail::TileView>& tiles) const {
  constexpr size_t kRoomForTheRest = 128 << 10;  // For pointers and the message itself.
  size_t room = sail::kMaxControlLine - kRoomForTheRest;
  std::vector<sail::OverlayLabel> labels;
  for (const sail::OverlayLabel& label : labels_) {
    if (!shows(tiles, [&](const sail::TileView& tile) { return sail::label_rect(tile, label); })) {
      continue;
    }
    const size_t bytes = bytes_of(label);
    if (bytes > room || labels.size() == sail::kMaxLabels) break;
    room -= bytes;
    labels.push_back(label);
  }
  return labels;
}

// Leaves out clips and strokes that do not touch the tiles.
std::vector<sail::OverlayDrawing> OverlayFeed::drawings_of(
    const std::vector<sail::TileView>& tiles) const {
  const auto touches = [&tiles](const sail::Rect& wall_rect) {
    return std::ranges::any_of(tiles, [&](const sail::TileView& tile) {
      return !sail::intersect(wall_rect, tile.wall_rect).empty();
    });
  };
  std::vector<sail::OverlayDrawing> drawings;
  for (const sail::OverlayDrawing& drawing : drawings_) {
    sail::OverlayDrawing here;
    std::ranges::copy_if(drawing.clip, std::back_inserter(here.clip),
                         [&](const sail::ClipRect& clip) { return touches(clip.rect); });
    if (here.clip.empty() && !drawing.clip.empty()) continue;
    std::ranges::copy_if(
        drawing.strokes, std::back_inserter(here.strokes),
        [&](const sail::OverlayStroke& stroke) { return touches(sail::stroke_rect(stroke)); });
    if (!here.strokes.empty()) drawings.push_back(std::move(here));
  }
  return drawings;
}

std::optional<sail::Overlay> OverlayFeed::take(const std::string& receiver) {
  LastSent& sent = last_sent_.at(receiver);
  const std::vector<sail::TileView>& tiles = tiles_[receiver];
  sail::Overlay news;
  if (std::exchange(sent.drawings_changed, false)) {
    std::vector<sail::OverlayDrawing> drawings = drawings_of(tiles);
    if (drawings != sent.drawings) {
      sent.drawings = std::move(drawings);
      news.drawings = sent.drawings;
      return news;
    }
  }
  std::vector<sail::OverlayPointer> pointers;
  std::copy_if(pointers_.begin(), pointers_.end(), std::back_inserter(pointers),
               [&](const sail::OverlayPointer& pointer) {
                 return shows(tiles, [&](const sail::TileView& tile) {
                   return sail::pointer_rect(tile, pointer);
                 });
               });
  if (pointers != sent.pointers) {
    sent.pointers = std::move(pointers);
    news.pointers = sent.pointers;
  }
  if (std::exchange(sent.labels_changed, false)) {
    std::vector<sail::OverlayLabel> labels = labels_of(tiles);
    if (labels != sent.labels) {
      sent.labels = std::move(labels);
      news.labels = sent.labels;
    }
  }
  if (!news.pointers && !news.labels) return std::nullopt;
  return news;
}

}  // namespace manager
