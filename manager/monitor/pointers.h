// The pointers of people at the wall. A pointer hides after kStaysNs without movement, or when its
// client leaves. Pure; times are steady ns.
#pragma once

#include <cstdint>
#include <deque>
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
  sail::PointerStyle style = sail::PointerStyle::kArrow;
  sail::Rect area{};  // Of a spotlight.
  int factor = 0;     // Of a magnifier.
};

class Pointers {
 public:
  static constexpr int kMostOfAClient = 32;
  static constexpr int64_t kStaysNs = 10'000'000'000;
  static constexpr int64_t kTrailNs = 300'000'000;  // How long a laser's trail is.

  // client: peer id. pointer: below kMostOfAClient. Beyond kMaxOverlayPointers, the pointer that
  // has been still for the longest time hides. Returns false, and shows no pointer, if there are
  // kMaxStyledPointers other spotlights and magnifiers.
  bool move(uint64_t client, int pointer, const std::string& name, uint32_t colour,
            const PointerPlace& place, int64_t now_ns);
  void hide(uint64_t client, int pointer);
  void client_left(uint64_t client);
  // Hides pointers that have been still for kStaysNs, and shortens trails.
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
  struct Trace {
    int64_t left_ns = 0;
    int x = 0;
    int y = 0;
  };
  struct Shown {
    sail::OverlayPointer pointer;
    int64_t moved_ns = 0;
    std::deque<Trace> trail{};  // Newest first.
  };
  void hide_oldest();
  // Drops what is too old or too much of its trail.
  static void trim(Shown& shown, int64_t now_ns);
  bool has_room_for(const Key& key, sail::PointerStyle style) const;

  std::map<Key, Shown> shown_;
  uint64_t revision_ = 0;
};

}  // namespace manager
