// The values of a window and of the wall that the journal compares before and after a verb, and
// the JSON text of what differs. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "manager/wall/partitions.h"
#include "manager/wall/window_stack.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wall/view_transform.h"

namespace manager {

class Arrangement;

// What people change of a window. Its position among the windows is apart: see ShortChange.
struct WindowValues {
  std::string title{};
  std::string source{};  // Its medium or command, without passwords; empty: unknown.
  sail::Rect rect{};     // Wall pixels.
  sail::ViewTransform look{};
  WindowSound sound{};
  WindowLabel label{};
  WindowCover cover{};
  std::string group{};
  bool locked = false;
  bool hidden = false;
  size_t strokes = 0;

  bool operator==(const WindowValues&) const = default;
};
WindowValues values_of(const Window& window);

// What people change of the wall as a whole.
struct WallValues {
  WallSwitches switches{};
  std::vector<Partition> partitions{};
  size_t strokes = 0;

  bool operator==(const WallValues&) const = default;
};
WallValues values_of(const Arrangement& wall);

// A window before and after a verb. Null: it was not open.
struct ShortChange {
  const WindowValues* before = nullptr;
  const WindowValues* after = nullptr;
  // Positions, 1: in front. 0 before: the verb did not change the order. 0 after: not on the wall.
  size_t order_before = 0;
  size_t order_after = 0;
};

// Appends what differs as an object: the name of each value, and the value before and after, such
// as {"locked":[false,true]}. Appends nothing and returns false if nothing differs. Long texts are
// shortened, see kMostValueBytes. A window that opens or closes has null on one side.
bool append_change(std::string& json, const ShortChange& change);
bool append_change(std::string& json, const WallValues& before, const WallValues& after);

constexpr size_t kMostValueBytes = 80;  // Of a text.
// More partitions or areas are only counted, and more windows only listed.
constexpr size_t kMostChangedObjects = 8;

}  // namespace manager
