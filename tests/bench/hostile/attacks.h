// Attacks on a wall, one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct AttackTarget {
  uint16_t manager_port = 0;
  std::vector<uint16_t> data_ports;  // ports of the receivers
  double seconds = 10;               // time over which counted attacks are spread
  int addresses = 1;                 // number of source addresses
};

using Attack = void (*)(const AttackTarget&);  // never returns

struct NamedAttack {
  const char* name;
  const char* what;
  Attack run;
};
const std::vector<NamedAttack>& attacks();
// Returns null if there is no attack of this name.
const NamedAttack* attack_named(const std::string& name);

}  // namespace bench
