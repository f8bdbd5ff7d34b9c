// The author of a change to the wall. Values only.
#pragma once

#include <cstdint>
#include <string>

namespace manager {

struct Author {
  uint64_t client = 0;  // Peer id; 0: not a connected UI client.
  std::string name;
  std::string key{};      // Name of the authenticated key.
  bool only_own = false;  // May change only its own windows.
};

}  // namespace manager
