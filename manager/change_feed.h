// What changed since the subscribers were told last, and the revision that counts the tellings.
// Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace manager {

// Parts of the state that are told as a whole when something in them changed; of the history only
// what is new.
enum class StatePart {
  kClients,
  kHealth,
  kPartitions,
  kHistory,
  kLayouts,
  kSessions,
  kStandby,
  kOpenings
};

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
  // on_news: there is something to tell; comes once until it is taken.
  explicit ChangeFeed(std::function<void()> on_news = [] {}) : on_news_(std::move(on_news)) {}

  void window_changed(uint32_t number);
  void window_removed(uint32_t number);
  void order_changed();
  void receiver_changed(const std::string& name);
  void part_changed(StatePart part);
  // Something else in the state has changed.
  void state_changed();

  uint64_t revision() const { return revision_; }
  // What changed, in portions of which each fits a control message and counts one revision.
  std::vector<ChangeSet> take();

 private:
  std::function<void()> on_news_;
  std::set<uint32_t> windows_;
  std::set<uint32_t> removed_;
  std::set<std::string> receivers_;
  std::set<StatePart> parts_;
  bool order_ = false;
  bool news_ = false;
  uint64_t revision_ = 1;
};

}  // namespace manager
