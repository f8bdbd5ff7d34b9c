// What changed since the subscribers were told last, and the revision that counts the tellings.
// Pure.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace manager {

// Parts of the state that are told as a whole when something in them changed; of the history only
// what is new.
enum class StatePart { kClients, kHealth, kPartitions, kHistory, kLayouts, kSessions };

// One "changed" notification's worth.
struct ChangeSet {
  uint64_t revision = 0;
  std::vector<uint32_t> windows;  // opened or changed
  std::vector<uint32_t> removed;
  bool order = false;  // windows came, went or changed places in the stack
  std::vector<std::string> receivers;
  std::set<StatePart> parts;
};

class ChangeFeed {
 public:
  void window_changed(uint32_t number) { windows_.insert(number); }
  void window_removed(uint32_t number);
  void order_changed() { order_ = true; }
  void receiver_changed(const std::string& name) { receivers_.insert(name); }
  void part_changed(StatePart part) { parts_.insert(part); }
  // Something else in the state has changed.
  void state_changed() { other_ = true; }

  uint64_t revision() const { return revision_; }
  // What changed, in portions of which each fits a control message and counts one revision.
  std::vector<ChangeSet> take();

 private:
  std::set<uint32_t> windows_;
  std::set<uint32_t> removed_;
  std::set<std::string> receivers_;
  std::set<StatePart> parts_;
  bool order_ = false;
  bool other_ = false;
  uint64_t revision_ = 1;
};

}  // namespace manager
