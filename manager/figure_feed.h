// What streams and receivers have reported since the subscribers were told last: the parameters of
// "figures". Pure.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "manager/receiver_roster.h"
#include "manager/window_stack.h"
#include "sail/wire/json.h"

namespace manager {

class FigureFeed {
 public:
  static constexpr int64_t kEveryMs = 1000;

  void window_reported(uint32_t number) { windows_.insert(number); }
  void receiver_reported(const std::string& name) { receivers_.insert(name); }

  // In portions, of which each fits a control message. What is gone by now is left out.
  std::vector<sail::Json> take(const WindowStack& windows, const ReceiverRoster& receivers,
                               int64_t wall_ns);

 private:
  std::set<uint32_t> windows_;
  std::set<std::string> receivers_;
};

}  // namespace manager
