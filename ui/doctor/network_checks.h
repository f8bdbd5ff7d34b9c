// Whether the wall's other hosts are reached, and by what packets.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/doctor/finding.h"

namespace ui {

// Of the receivers of a state that `list` told, those that are connected.
struct Reached {
  std::string name;
  std::string host;  // numeric
  uint16_t port = 0;
};
std::vector<Reached> connected_receivers(const sail::Json& state);

// Connections to their data ports.
void check_ports(const std::vector<Reached>& receivers, Findings& findings);
// Datagrams to the same ports: receivers tell the manager how many they refused. `state` asks it
// anew.
void check_packets(const std::vector<Reached>& receivers, const std::function<sail::Json()>& state,
                   Findings& findings);
// Packets of the wall's MTU to that host and back, and a short burst of them.
void check_way(const std::string& name, const std::string& host, int mtu, Findings& findings);
// How well receivers know the wall's time, by what `clocks` told: that one, or all if it is empty.
void check_wall_time(const sail::Json& clocks, const std::string& receiver, Findings& findings);
// Machines of the wall that are overloaded, by what `stats` told.
void check_hosts(const sail::Json& stats, Findings& findings);
// Who has joined the manager and who has not.
void check_receivers(const sail::Json& state, Findings& findings);
// Whether somebody follows the manager, where the wall file names a standby.
void check_standby(const sail::Json& state, Findings& findings);

}  // namespace ui
