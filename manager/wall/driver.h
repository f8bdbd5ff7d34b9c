// The person who drives a window: sends pointer, keys and touches to its application. Value.
#pragma once

#include <cstdint>
#include <string>

namespace manager {

struct Driver {
  // A person may have several connections, one after the other or at once.
  struct Person {
    std::string name;
    std::string key;   // Name of the authenticated key.
    std::string host;  // Address.

    bool operator==(const Person&) const = default;
  };
  Person person;
  uint64_t client = 0;  // Peer id of one of the connections.
  // Taken by the verb "drive": nobody else may send input, and the window stays driven when the
  // pointer leaves it.
  bool asked = false;
  int64_t since_s = 0;  // Seconds since 1970.
};

}  // namespace manager
