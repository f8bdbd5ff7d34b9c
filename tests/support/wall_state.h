// A client's copy of the wall's state (manager/COMMANDS.md, "list", "subscribe").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/text/json.h"

namespace test {

// Starts from the answer of "subscribe" and applies "changed". Values are stored unchecked; missing
// fields and fields of another type are ignored. Pure.
class WallState {
 public:
  void begin(const sail::Json& answer);
  // Takes the parameters of "changed". Returns false if one was missed: then the state is outdated,
  // and the client must subscribe again.
  bool apply(const sail::Json& changed);

  uint64_t revision() const { return revision_; }
  // Windows by number and receivers by name, as the manager's JSON objects.
  const std::map<uint32_t, sail::Json>& windows() const { return windows_; }
  const std::map<std::string, sail::Json, std::less<>>& receivers() const { return receivers_; }
  // Window numbers.
  const std::vector<uint32_t>& bottom_to_top() const { return order_; }
  // Another part of the state by its key; null if the manager did not send it.
  const sail::Json& other(std::string_view key) const;

 private:
  void take(const sail::Json& reported);

  uint64_t revision_ = 0;
  std::map<uint32_t, sail::Json> windows_;
  std::map<std::string, sail::Json, std::less<>> receivers_;
  std::vector<uint32_t> order_;
  std::map<std::string, sail::Json, std::less<>> others_;
};

}  // namespace test
