#include "manager/monitor/pointers.h"

#include <algorithm>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {

bool Pointers::move(uint64_t client, int pointer, const std::string& name, uint32_t colour,
                    const PointerPlace& place, int64_t now_ns) {
  const Key key{client, pointer};
  if (!has_room_for(key, place.style)) {
    hide(client, pointer);
    return false;
  }
  if (!shown_.contains(key) && shown_.size() >= sail::kMaxOverlayPointers) hide_oldest();
  Shown& shown = shown_[key];
  const sail::OverlayPointer before = std::exchange(shown.pointer, {.x = place.x,
                                                                    .y = place.y,
                                                                    .name = name,
                                                                    .colour = colour,
                                                                    .pressed = place.pressed,
                                                                    .style = place.style,
                                                                    .area = place.area,
                                                                    .factor = place.factor});
  const bool is_new = shown.moved_ns == 0;
  shown.moved_ns = now_ns;
  if (place.style != sail::PointerStyle::kLaser) {
    shown.trail.clear();
  } else {
    if (!is_new && (before.x != place.x || before.y != place.y)) {
      shown.trail.push_front({now_ns, before.x, before.y});
    }
    trim(shown, now_ns);
  }
  if (is_new || before != shown.pointer) ++revision_;
  return true;
}

bool Pointers::has_room_for(const Key& key, sail::PointerStyle style) const {
  const auto counts = [](sail::PointerStyle one) {
    return one == sail::PointerStyle::kSpotlight || one == sail::PointerStyle::kMagnifier;
  };
  if (!counts(style)) return true;
  const auto others = std::ranges::count_if(shown_, [&](const auto& item) {
    return item.first != key && counts(item.second.pointer.style);
  });
  return static_cast<size_t>(others) < sail::kMaxStyledPointers;
}

void Pointers::trim(Shown& shown, int64_t now_ns) {
  while (!shown.trail.empty() && (shown.trail.size() > sail::kMaxPointerTrail ||
                                  now_ns - shown.trail.back().left_ns >= kTrailNs)) {
    shown.trail.pop_back();
  }
  shown.pointer.trail.clear();
  for (const Trace& trace : shown.trail) {
    shown.pointer.trail.push_back(trace.x);
    shown.pointer.trail.push_back(trace.y);
  }
}

void Pointers::hide(uint64_t client, int pointer) {
  revision_ += shown_.erase({client, pointer});
}

void Pointers::hide_oldest() {
  const auto oldest = std::min_element(
      shown_.begin(), shown_.end(),
      [](const auto& a, const auto& b) { return a.second.moved_ns < b.second.moved_ns; });
  shown_.erase(oldest);
  ++revision_;
}

void Pointers::client_left(uint64_t client) {
  revision_ += std::erase_if(shown_, [&](const auto& item) { return item.first.first == client; });
}

void Pointers::expire(int64_t now_ns) {
  for (auto& [key, shown] : shown_) {
    const size_t before = shown.trail.size();
    if (before == 0) continue;
    trim(shown, now_ns);
    if (shown.trail.size() != before) ++revision_;
  }
  revision_ += std::erase_if(
      shown_, [&](const auto& item) { return now_ns - item.second.moved_ns >= kStaysNs; });
}

std::vector<sail::OverlayPointer> Pointers::overlay() const {
  std::vector<sail::OverlayPointer> pointers;
  pointers.reserve(shown_.size());
  for (const auto& [key, shown] : shown_) pointers.push_back(shown.pointer);
  return pointers;
}

sail::Json Pointers::json() const {
  sail::Json pointers = sail::Json::array();
  for (const auto& [key, shown] : shown_) {
    const sail::OverlayPointer& pointer = shown.pointer;
    pointers.push_back({{"client", key.first},
                        {"pointer", key.second},
                        {"name", pointer.name},
                        {"colour", sail::colour_text(pointer.colour)},
                        {"at", {pointer.x, pointer.y}},
                        {"pressed", pointer.pressed}});
    if (pointer.style != sail::PointerStyle::kArrow) {
      pointers.back()["style"] = sail::kPointerStyles.word(pointer.style);
    }
  }
  return {{"pointers", std::move(pointers)}};
}

}  // namespace manager
