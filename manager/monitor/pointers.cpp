#include "manager/monitor/pointers.h"

#include <algorithm>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {

void Pointers::move(uint64_t client, int pointer, const std::string& name, uint32_t colour,
                    const PointerPlace& place, int64_t now_ns) {
  const Key key{client, pointer};
  if (!shown_.contains(key) && shown_.size() >= sail::kMaxOverlayPointers) hide_oldest();
  Shown& shown = shown_[key];
  const sail::OverlayPointer before = std::exchange(
      shown.pointer,
      {.x = place.x, .y = place.y, .name = name, .colour = colour, .pressed = place.pressed});
  const bool is_new = shown.moved_ns == 0;
  shown.moved_ns = now_ns;
  if (is_new || before != shown.pointer) ++revision_;
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
  }
  return {{"pointers", std::move(pointers)}};
}

}  // namespace manager
