// What each verb changes of the wall, for the journal: the values before and after, of the windows
// and of the wall. Copies of the values of all windows are kept up to date. So the cost of a verb
// depends on the windows that it changes, and not on the windows of the wall. Pure.
//
// A verb that takes time, such as close, is in progress until its answer. What changes at once
// belongs to it. What changes later belongs to it if it concerns a window that its parameters or
// its answer name, or if these name none and no client has begun another verb since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "manager/journal/short_values.h"
#include "manager/wall/arrangement.h"

namespace manager {

class WallChanges {
 public:
  static constexpr size_t kMostKept = 4096;  // Changes while verbs are in progress: the newest.

  // A verb in progress.
  struct Verb {
    uint64_t number = 0;
    uint64_t begin = 0;       // The first change that may belong to it.
    bool of_program = false;  // An application's or a receiver's, which change what others asked.
  };

  // wall must outlive this object.
  explicit WallChanges(const Arrangement& wall) : wall_(wall), wall_values_(wall_now()) {}

  // The verb is over when nobody has the result any more.
  std::shared_ptr<const Verb> begin(bool of_program);
  // The verb that has just begun has done what it does at once. Call once per turn of the loop.
  void end_turn() { running_ = 0; }
  // Call after each change of the wall, before the verb's answer.
  void wall_changed(const Touched& touched);
  // Returns what the verb has changed as JSON text: {"7":{…},"wall":{…}}, see append_change(); of
  // more than kMostChangedObjects windows only the numbers: {"windows":[7,8,…]}. Empty: nothing.
  std::string text(const Verb& verb, const std::vector<uint32_t>& named) const;

 private:
  struct Change {
    uint32_t window = 0;                   // 0: the wall.
    std::optional<WindowValues> before{};  // Empty: the window has opened.
    size_t order_before = 0;               // See ShortChange.
    std::shared_ptr<const WallValues> wall_before{};
    uint64_t running = 0;  // The verb that did it at once; 0: none.
    uint64_t newest = 0;   // The newest verb of a client in progress; 0: none.
  };

  std::shared_ptr<const WallValues> wall_now() const {
    return std::make_shared<const WallValues>(values_of(wall_));
  }
  // Returns whether the window has appeared or disappeared.
  bool window_changed(uint32_t number);
  // same_windows: none has appeared or disappeared.
  void order_changed(bool same_windows);
  // Returns the window's position in order_, from 1; 0: none.
  size_t order_of(uint32_t window) const;
  // Does nothing while no verb is in progress.
  void add(Change change);

  const Arrangement& wall_;
  std::unordered_map<uint32_t, WindowValues> windows_;
  std::vector<uint32_t> order_;  // Of the windows that people arrange, front to back.
  std::shared_ptr<const WallValues> wall_values_;
  std::vector<std::weak_ptr<const Verb>> verbs_;  // Oldest first.
  uint64_t last_verb_ = 0;
  uint64_t running_ = 0;        // See end_turn(); 0: none.
  std::deque<Change> changes_;  // Since the oldest verb in progress began.
  uint64_t first_change_ = 0;   // Number of the first of them.
};

}  // namespace manager
