// The pointers of people at the wall. A pointer hides after kStaysNs without movement, or when its
// client leaves. Pure; times are steady ns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/text/json.h"
#include "sail/core/wire/overlay.h"

namespace manager {

struct PointerPlace {
  int x = 0;  // Wall pixels.
  int y = 0;
  bool pressed = false;
};

class Pointers {
 public:
  static constexpr int kMostOfAClient = 32;
  static constexpr int64_t kStaysNs = 10'000'000'000;

  // client: peer id. pointer: below kMostOfAClient. Beyond kMaxOverlayPointers, the pointer that
  // has been still for the longest time hides.
  void move(uint64_t client, int pointer, const std::string& name, uint32_t colour,
            const PointerPlace& place, int64_t now_ns);
  void hide(uint64_t client, int pointer);
  void client_left(uint64_t client);
  // Hides pointers that have been still for kStaysNs.
  void expire(int64_t now_ns);

  bool empty() const { return shown_.empty(); }
  // Increases with each change.
  uint64_t revision() const { return revision_; }
  // For receivers, ordered by client and pointer.
  std::vector<sail::OverlayPointer> overlay() const;
  // Returns the parameters of the notification "pointers".
  sail::Json json() const;

 private:
  using Key = std::pair<uint64_t, int>;  // Client, pointer.
  struct Shown {
    sail::OverlayPointer pointer;
    int64_t moved_ns = 0;
  };
  void hide_oldest();

  std::map<Key, Shown> shown_;
  uint64_t revision_ = 0;
};

}  // namespace manager
