// The pointers of the people at the wall: who points where. A pointer hides when it has not moved
// for kStaysNs, or when its client leaves. Pure; times in wall ns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sail/wire/json.h"
#include "sail/wire/overlay.h"

namespace manager {

struct PointerPlace {
  int x = 0;  // wall pixels
  int y = 0;
  bool pressed = false;
};

class Pointers {
 public:
  static constexpr int kMostOfAClient = 32;
  static constexpr int64_t kStaysNs = 10'000'000'000;

  // client: its number. pointer: below kMostOfAClient. When more than kMaxOverlayPointers would be
  // shown, the one hides that has not moved for the longest time.
  void move(uint64_t client, int pointer, const std::string& name, uint32_t colour,
            const PointerPlace& place, int64_t now_ns);
  void hide(uint64_t client, int pointer);
  void client_left(uint64_t client);
  // Hides those that have not moved for long.
  void expire(int64_t now_ns);

  bool empty() const { return shown_.empty(); }
  // Grows with each change.
  uint64_t revision() const { return revision_; }
  // For the receivers; by client, then pointer.
  std::vector<sail::OverlayPointer> overlay() const;
  // The parameters of the notification "pointers".
  sail::Json told() const;

 private:
  using Key = std::pair<uint64_t, int>;  // client, pointer
  struct Shown {
    sail::OverlayPointer pointer;
    int64_t moved_ns = 0;
  };
  void hide_oldest();

  std::map<Key, Shown> shown_;
  uint64_t revision_ = 0;
};

}  // namespace manager
