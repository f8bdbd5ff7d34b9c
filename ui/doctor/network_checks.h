// Checks if this host reaches the wall's other hosts, and with which packet sizes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/doctor/finding.h"

namespace ui {

// The connected receivers of a state from the verb "list". here: this host's local address on
// its connection to the manager.
struct Reached {
  std::string name;
  std::string host;  // numeric
  uint16_t port = 0;
};
std::vector<Reached> connected_receivers(const sail::Json& state, const std::string& here);

// Connects to the receivers' data ports by TCP.
void check_ports(const std::vector<Reached>& receivers, Findings& findings);
// Sends datagrams to these ports. Receivers report to the manager how many they refused; `state`
// queries that report again.
void check_packets(const std::vector<Reached>& receivers, const std::function<sail::Json()>& state,
                   Findings& findings);
// Sends packets of the wall's MTU to the host and back, then a short burst.
void check_path(const std::string& name, const std::string& host, int mtu, Findings& findings);
// Checks how well receivers know wall time, from the answer of "clocks". receiver: empty for all.
void check_wall_time(const sail::Json& clocks, const std::string& receiver, Findings& findings);
// Reports overloaded hosts of the wall, from the answer of "stats".
void check_hosts(const sail::Json& stats, Findings& findings);
// Reports receivers that are connected to the manager and those that are not.
void check_receivers(const sail::Json& state, Findings& findings);
// Checks if a standby follows the manager, if the wall file names a standby.
void check_standby(const sail::Json& state, Findings& findings);

}  // namespace ui
