// The wall's state as a client of the manager knows it (manager/COMMANDS.md, "list", "subscribe").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/wire/json.h"

namespace test {

// Begins with the answer of "subscribe" and follows "changed". Pure. What the manager tells is
// taken as it is; what is missing or of another type is passed over.
class WallState {
 public:
  void begin(const sail::Json& answer);
  // The parameters of a "changed". False: one was missed; what is known is out of date, subscribe
  // again.
  bool apply(const sail::Json& changed);

  uint64_t revision() const { return revision_; }
  // Windows and receivers as the manager's objects, by number and name.
  const std::map<uint32_t, sail::Json>& windows() const { return windows_; }
  const std::map<std::string, sail::Json, std::less<>>& receivers() const { return receivers_; }
  // Numbers of windows.
  const std::vector<uint32_t>& bottom_to_top() const { return order_; }
  // Everything else of the state, by its key; null when it was not told.
  const sail::Json& other(std::string_view key) const;

 private:
  void take(const sail::Json& told);

  uint64_t revision_ = 0;
  std::map<uint32_t, sail::Json> windows_;
  std::map<std::string, sail::Json, std::less<>> receivers_;
  std::vector<uint32_t> order_;
  std::map<std::string, sail::Json, std::less<>> others_;
};

}  // namespace test
