// The checks of `vitrail doctor`, and their results.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/host_load.h"
#include "sail/core/text/json.h"
#include "sail/core/time/system_clock.h"

namespace ui {

struct Finding {
  enum class Severity {
    kGood,
    kNote,  // fine, but perhaps not intended
    kBad,   // will be noticed on the wall
  };
  Severity severity = Severity::kGood;
  std::string about{};   // subject, such as "socket buffers"
  std::string what{};    // a sentence with figures
  std::string advice{};  // what to do; empty: nothing
};
using Findings = std::vector<Finding>;

const char* severity_name(Finding::Severity severity);
bool any_bad(const Findings& findings);
sail::Json findings_json(const Findings& findings);
// Parses findings from another host's doctor. Ignores invalid entries.
Findings findings_from(const sail::Json& list);
// A line for each finding, followed by its advice.
std::string findings_text(const Findings& findings);

// --- Is this host fit for a wall? The checks read the kernel's files, and measure.
// root: "/", or in tests a folder with copies of the kernel's files.
void check_socket_buffers(const std::filesystem::path& root, Findings& findings);
void check_links(const std::filesystem::path& root, Findings& findings);
// Answers of programs of time daemons; empty: no answer.
struct TimeDaemonAnswers {
  std::string chrony{};  // answer of `chronyc -c tracking`
  std::string ptp{};     // answer of `pmc 'GET PORT_DATA_SET'`
};
TimeDaemonAnswers ask_time_daemons();
// follows: wall time follows the system clock.
void check_clock(const std::filesystem::path& root, const sail::SystemClockReading& reading,
                 bool follows, const TimeDaemonAnswers& answers, Findings& findings);
// Checks if the host's processors are overloaded.
void check_load(const std::string& host, const sail::HostLoad& load, Findings& findings);
// Writes a file to the folder, reads it back, and removes it.
void check_disk(const std::filesystem::path& folder, Findings& findings);

// --- Does this host reach the wall's other hosts, and with which packet sizes?

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
// Sends datagrams to the multicast group that the wall (from the answer of "list") has for tests,
// and looks for a querier on each network with receivers.
void check_multicast(const sail::Json& wall, const std::vector<Reached>& receivers,
                     const std::function<sail::Json()>& state, Findings& findings);
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

// --- Does a display node's hardware (see `vitrail-receiver --check`) match the wall file?

// Empty optional: no receiver is installed on this host.
std::optional<sail::Json> abilities_of_this_node();
// wall: from the answer of "list"; receiver: its receiver on this host, empty: none.
void check_abilities(const std::optional<sail::Json>& abilities, const sail::Json& wall,
                     const std::string& receiver, Findings& findings);

}  // namespace ui
