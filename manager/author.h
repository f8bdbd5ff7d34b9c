// Who does something at the wall. Values only.
#pragma once

#include <cstdint>
#include <string>

namespace manager {

struct Author {
  uint64_t client = 0;  // 0: nobody who is there, such as a command line
  std::string name;
  std::string key{};      // the name of the key that was proved
  bool only_own = false;  // no window but its own is to change
};

}  // namespace manager
