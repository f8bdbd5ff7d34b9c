// When a standby takes over: its manager has not been heard of for a while, and more than half of
// the receivers that were connected with it have come here lately. So nothing happens when only the
// line between the two managers is cut: the receivers stay where they are. Pure: times come as
// arguments, of the steady clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace manager {

class Succession {
 public:
  // A manager that is started again is back by then.
  static constexpr int64_t kPatienceNs = 1'000'000'000;
  // One that came so long ago may have found its manager since: it tries both in turn, and hears
  // from each within a second.
  static constexpr int64_t kLatelyNs = 2'000'000'000;

  // The journal is followed.
  void followed();
  // Of those that the manager has; before it is lost, or it has told.
  void set_receivers(const std::vector<std::string>& names);
  // The wall is taken down, as somebody wished.
  void ending() { ending_ = true; }
  // Not heard of since then.
  void lost(int64_t since_ns);
  // For want of its manager.
  void receiver_came(const std::string& name, int64_t now_ns);

  bool due(int64_t now_ns) const;
  // Whether only receivers are missing, and how many have come.
  bool waits(int64_t now_ns) const;
  size_t came(int64_t now_ns) const;
  size_t receivers() const { return receivers_.size(); }

 private:
  bool ending_ = false;
  std::optional<int64_t> lost_ns_;
  std::set<std::string> receivers_;
  std::map<std::string, int64_t> came_ns_;  // when last
};

}  // namespace manager
