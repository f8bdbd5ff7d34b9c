// What people who mean no good do to a wall, one thing at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct AttackTarget {
  uint16_t manager_port = 0;
  std::vector<uint16_t> data_ports;  // of the receivers
  double seconds = 10;               // that what is counted is spread over
  int addresses = 1;                 // that the connections come from
};

using Attack = void (*)(const AttackTarget&);  // never returns

struct NamedAttack {
  const char* name;
  const char* what;
  Attack run;
};
const std::vector<NamedAttack>& attacks();
// nullptr: there is none of that name.
const NamedAttack* attack_named(const std::string& name);

}  // namespace bench
