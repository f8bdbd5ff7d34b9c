// Collects changes for subscribers and counts revisions; batches of changes. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace manager {

// Parts of the state that are sent as a whole when they change; of the history only new entries.
enum class StatePart {
  kClients,
  kHealth,
  kPartitions,
  kHistory,
  kLayouts,
  kSessions,
  kPlaylists,
  kStandby,
  kOpenings,
  kScene,
  kEvents
};

// The content of one "changed" notification.
struct ChangeSet {
  uint64_t revision = 0;
  std::vector<uint32_t> windows;  // Opened or changed.
  std::vector<uint32_t> removed;
  bool order = false;     // Windows were added, removed or restacked.
  bool switches = false;  // A value of the whole wall has changed, such as "identify".
  std::vector<std::string> receivers;
  std::set<StatePart> parts;
};

class ChangeFeed {
 public:
  // on_news: called for the first change after each take().
  explicit ChangeFeed(std::function<void()> on_news = [] {}) : on_news_(std::move(on_news)) {}

  void window_changed(uint32_t number);
  void window_removed(uint32_t number);
  void order_changed();
  void receiver_changed(const std::string& name);
  void part_changed(StatePart part);
  // A value of the whole wall has changed.
  void switches_changed();

  uint64_t revision() const { return revision_; }
  // Returns and clears the changes. Each set fits one control message and has its own revision.
  std::vector<ChangeSet> take();

 private:
  void note_news();

  std::function<void()> on_news_;
  std::set<uint32_t> windows_;
  std::set<uint32_t> removed_;
  std::set<std::string> receivers_;
  std::set<StatePart> parts_;
  bool order_ = false;
  bool switches_ = false;
  bool news_ = false;
  uint64_t revision_ = 1;
};

// Windows or receivers per control message. They stay well below kMaxControlLine.
constexpr size_t kMaxInBatch = 256;

// Moves up to kMaxInBatch items out of the set.
template <typename T>
std::vector<T> take_batch(std::set<T>& items) {
  const auto last =
      std::next(items.begin(), static_cast<std::ptrdiff_t>(std::min(items.size(), kMaxInBatch)));
  std::vector<T> some(items.begin(), last);
  items.erase(items.begin(), last);
  return some;
}

}  // namespace manager
