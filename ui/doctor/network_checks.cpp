// Checks of the paths to the wall's other hosts.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <thread>

#include "sail/core/address/address.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/echo.h"
#include "sail/core/socket/querier.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/socket/udp.h"
#include "sail/core/text/ip_address.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/multicast.h"
#include "sail/core/wire/data/packets.h"
#include "sail/core/wire/stats.h"
#include "ui/client/answers.h"
#include "ui/doctor/checks.h"

namespace ui {
namespace {

using Severity = Finding::Severity;

constexpr int kJumboMtu = 9000;
constexpr int64_t kConnectMs = 3000;
constexpr int kEchoTries = 5;
constexpr int kEchoBurst = 200;
constexpr double kBadLossPct = 1;
constexpr int64_t kDatagrams = 20;
constexpr int64_t kReportTimeoutNs = 4 * sail::kSecondNs;  // receivers report once a second
constexpr std::chrono::milliseconds kAskAgain{200};

bool passes(const std::string& host, int packet_bytes) {
  const auto tally = sail::echo(host, packet_bytes, kEchoTries);
  return tally && tally->came > 0;
}

// Returns the largest of these packet sizes that passes; 0: none does.
int passing_below(const std::string& host, int mtu) {
  for (const int bytes : {1492, 1450, 1400, 1280, 576}) {
    if (bytes < mtu && passes(host, bytes)) return bytes;
  }
  return 0;
}

// Refused packets of each receiver that reports them.
std::map<std::string, int64_t> packets_refused(const sail::Json& state) {
  std::map<std::string, int64_t> refused;
  for (const sail::Json& receiver : member(state, "receivers")) {
    const sail::Json stats = member(receiver, "stats");
    if (!stats.contains("packets_refused")) continue;
    refused[text_member(receiver, "name")] = number_member(stats, "packets_refused");
  }
  return refused;
}

// Sends datagrams that no receiver accepts as stream packets.
void send_datagrams(sail::UdpSocket& socket) {
  const std::span<const uint8_t> part(sail::kTestDatagram);
  const sail::OutgoingDatagram datagram{.parts = {&part, 1}, .bytes = part.size()};
  for (int64_t i = 0; i < kDatagrams; ++i) socket.send({&datagram, 1});
}

// How many datagrams these receivers refuse because of send(), by name; without those that do not
// report it.
std::map<std::string, int64_t> refused_by(const std::vector<Reached>& receivers,
                                          const std::function<sail::Json()>& state,
                                          const std::function<void()>& send) {
  const auto before = packets_refused(state());
  send();
  std::map<std::string, int64_t> received;
  const auto all_arrived = [&] {
    for (const auto& [name, refused] : packets_refused(state())) {
      const auto known = before.find(name);
      if (known != before.end()) received[name] = refused - known->second;
    }
    return std::ranges::all_of(receivers, [&](const Reached& one) {
      return !before.contains(one.name) || received[one.name] >= kDatagrams;
    });
  };
  const int64_t until_ns = sail::steady_now_ns() + kReportTimeoutNs;
  while (!all_arrived() && sail::steady_now_ns() < until_ns) std::this_thread::sleep_for(kAskAgain);
  return received;
}

Finding packets_finding(const Reached& receiver, int64_t received) {
  Finding finding{.about = "packets to " + receiver.name,
                  .what = fmt::format("{} of {} datagrams arrived at {}:{}",
                                      std::clamp<int64_t>(received, 0, kDatagrams), kDatagrams,
                                      receiver.host, receiver.port)};
  if (received >= kDatagrams) return finding;
  finding.severity = received <= 0 ? Severity::kBad : Severity::kNote;
  finding.advice =
      received <= 0 ? "allow UDP to this port in the firewall, or play films with --transport tcp"
                    : "check cables, switches and their error counters (ip -s link)";
  return finding;
}

Finding multicast_finding(const Reached& receiver, const std::string& group, int64_t received) {
  Finding finding{
      .about = "multicast to " + receiver.name,
      .what = fmt::format("{} of {} datagrams to the group {} arrived",
                          std::clamp<int64_t>(received, 0, kDatagrams), kDatagrams, group)};
  if (received >= kDatagrams) return finding;
  finding.severity = received <= 0 ? Severity::kBad : Severity::kNote;
  finding.advice =
      received <= 0
          ? fmt::format(
                "allow UDP port {} in the firewall; the switches need IGMP (IPv6: MLD) "
                "snooping with a querier, or none: without a querier they forget receivers "
                "after some minutes; films are sent to this receiver alone meanwhile",
                sail::kMulticastPort)
          : "check cables, switches and their error counters (ip -s link)";
  return finding;
}

// Each network needs a querier. here: this host's address on the network.
void check_querier(const std::string& here, const sail::IpAddress& test, Findings& findings) {
  // A group that no receiver of this host has joined: it is outside the wall's range, unless that
  // is larger than /16 (IPv6: /112).
  sail::IpAddress group = test;
  group.bytes[group.bytes.size() - 3] ^= 1;
  const char* protocol = group.is_ipv4() ? "IGMP" : "MLD";
  Finding finding{.about = fmt::format("{} querier", protocol)};
  const auto answers = sail::querier_answers(here, group);
  if (!answers) {
    finding.severity = Severity::kNote;
    finding.what = fmt::format("not known whether the network of {} has one: {}", here,
                               answers.error().message);
    finding.advice = "run the doctor as root, or look for the querier in the switch's settings";
  } else if (*answers) {
    finding.what = fmt::format("the network of {} has one", here);
  } else {
    finding.severity = Severity::kNote;
    finding.what = fmt::format("none answered on the network of {} within 3 s", here);
    finding.advice = fmt::format(
        "turn on the {0} querier of a switch or router, or {0} snooping off: switches with "
        "snooping but without a querier stop to send the group to receivers after some minutes",
        protocol);
  }
  findings.push_back(std::move(finding));
}

// Receivers by the address of this host from which packets go to them.
std::map<std::string, std::vector<Reached>> by_own_address(const std::vector<Reached>& receivers) {
  std::map<std::string, std::vector<Reached>> all;
  for (const Reached& receiver : receivers) {
    sail::Loop loop;
    const auto socket = sail::UdpSocket::connect(loop, {receiver.host, receiver.port});
    if (socket) all[(*socket)->address().host].push_back(receiver);
  }
  return all;
}

Finding burst_finding(const std::string& name, const sail::EchoTally& tally, int mtu) {
  const double lost_pct = 100.0 * (tally.sent - tally.came) / tally.sent;
  Finding finding{
      .about = "path to " + name,
      .what = fmt::format("{} of {} echo packets of {} bytes returned, round trip {:.2f} ms",
                          tally.came, tally.sent, mtu, tally.round_trip_ms)};
  if (lost_pct == 0) return finding;
  finding.severity = lost_pct >= kBadLossPct ? Severity::kBad : Severity::kNote;
  finding.advice =
      "check cables, switches and their error counters (ip -s link); streams over UDP tolerate "
      "some loss";
  return finding;
}

}  // namespace

std::vector<Reached> connected_receivers(const sail::Json& state, const std::string& here) {
  std::vector<Reached> receivers;
  for (const sail::Json& receiver : member(state, "receivers")) {
    if (!true_member(receiver, "connected")) continue;
    receivers.push_back({.name = text_member(receiver, "name"),
                         .host = sail::on_link_of({text_member(receiver, "host"), 0}, here).host,
                         .port = static_cast<uint16_t>(number_member(receiver, "port"))});
  }
  return receivers;
}

void check_ports(const std::vector<Reached>& receivers, Findings& findings) {
  for (const Reached& receiver : receivers) {
    sail::Loop loop;
    std::optional<std::string> why;
    const auto connecting = sail::TcpConnection::connect(
        loop, {receiver.host, receiver.port},
        [&](sail::Result<std::unique_ptr<sail::TcpConnection>> result) {
          why = result ? "" : result.error().message;
          loop.stop();
        },
        {.timeout_ms = kConnectMs, .tls = sail::TlsUse::kAsItComes});
    loop.run();
    const bool open = why && why->empty();
    findings.push_back(
        {.severity = open ? Severity::kGood : Severity::kBad,
         .about = "port of " + receiver.name,
         .what =
             open ? fmt::format("{}:{} is open", receiver.host, receiver.port)
                  : why.value_or(fmt::format("no answer from {}:{}", receiver.host, receiver.port)),
         .advice = open ? ""
                        : "allow TCP and UDP to this port in the firewall (vitrail-receiver "
                          "--data-port sets a fixed port)"});
  }
}

void check_packets(const std::vector<Reached>& receivers, const std::function<sail::Json()>& state,
                   Findings& findings) {
  auto received = refused_by(receivers, state, [&] {
    for (const Reached& receiver : receivers) {
      sail::Loop loop;
      const auto socket = sail::UdpSocket::connect(loop, {receiver.host, receiver.port});
      if (socket) send_datagrams(**socket);
    }
  });
  for (const Reached& receiver : receivers) {
    if (received.contains(receiver.name)) {
      findings.push_back(packets_finding(receiver, received[receiver.name]));
    }
  }
}

void check_multicast(const sail::Json& wall, const std::vector<Reached>& receivers,
                     const std::function<sail::Json()>& state, Findings& findings) {
  if (!wall.contains("multicast")) return;
  sail::JsonFields fields(wall, "wall", sail::JsonFields::Report::kAll);
  const auto test = sail::read_multicast(fields, "multicast").test_group();
  if (!test) {
    findings.push_back({Severity::kNote, "multicast",
                        "not tested: a stream uses the only multicast address of the wall file",
                        "give \"multicast\" a range of addresses"});
    return;
  }
  const int hops = std::max(1, static_cast<int>(number_member(wall, "multicast_hops")));
  for (const auto& [here, reached] : by_own_address(receivers)) {
    sail::Loop loop;
    const auto socket = sail::UdpSocket::connect_to_group(
        loop, {sail::ip_text(*test), sail::kMulticastPort}, here, hops);
    if (!socket) {
      for (const Reached& receiver : reached) {
        findings.push_back({Severity::kBad, "multicast to " + receiver.name,
                            fmt::format("not sent from {}: {}", here, socket.error().message),
                            "give \"multicast\" a range of the version of IP by which receivers "
                            "are reached; films are sent to this receiver alone meanwhile"});
      }
      continue;
    }
    auto received = refused_by(reached, state, [&] { send_datagrams(**socket); });
    for (const Reached& receiver : reached) {
      if (!received.contains(receiver.name)) continue;
      findings.push_back(
          multicast_finding(receiver, sail::ip_text(*test), received[receiver.name]));
    }
    if (!sail::is_loopback(here)) check_querier(here, *test, findings);
  }
}

void check_path(const std::string& name, const std::string& host, int mtu, Findings& findings) {
  const auto tally = sail::echo(host, mtu, kEchoBurst);
  const std::string about = "path to " + name;
  if (!tally) {
    findings.push_back({.severity = Severity::kNote,
                        .about = about,
                        .what = tally.error().message,
                        .advice = "to measure MTU and loss, let users send ICMP echo: sysctl "
                                  "-w net.ipv4.ping_group_range='0 2147483647'"});
    return;
  }
  if (tally->came > 0) {
    findings.push_back(burst_finding(name, *tally, mtu));
    if (mtu < kJumboMtu && passes(host, kJumboMtu)) {
      findings.back().what += fmt::format("; packets of {} bytes also pass", kJumboMtu);
    }
    return;
  }
  const int passing = passing_below(host, mtu);
  findings.push_back(
      {.severity = Severity::kBad,
       .about = about,
       .what = passing == 0 ? fmt::format("{} does not answer ICMP echo", host)
                            : fmt::format("packets of {} bytes are lost, packets of {} bytes pass",
                                          mtu, passing),
       .advice = passing == 0 ? "check that the host is up and that no firewall drops ICMP echo"
                              : fmt::format("set \"mtu\": {} in the wall file", passing)});
}

void check_wall_time(const sail::Json& clocks, const std::string& receiver, Findings& findings) {
  constexpr double kGoodErrorUs = 1000;  // a smaller error is invisible
  for (const sail::Json& peer : member(clocks, "peers")) {
    const std::string name = text_member(peer, "name");
    const bool asked = receiver.empty() || name == receiver;
    const auto clock = sail::message_from_json<sail::ClockStats>(peer);
    if (text_member(peer, "role") != "receiver" || !asked || !clock) continue;
    const bool system = clock->source == sail::ClockSource::kSystem;
    const bool good = clock->error_us <= kGoodErrorUs;
    findings.push_back(
        {.severity = good ? Severity::kGood : Severity::kNote,
         .about = "wall time at " + name,
         .what = fmt::format("the manager's clock differs by {:+.3f} ms from {}, with an error of "
                             "at most {:.3f} ms, "
                             "and drifts {:+.1f} ppm; steered by {}",
                             clock->offset_us / 1e3,
                             system ? "the system clock" : "the receiver's clock",
                             clock->error_us / 1e3, clock->drift_ppm,
                             system ? "the system's time daemon" : "requests to the manager"),
         .advice =
             good ? ""
                  : "tiles may swap apart by this error: check the network path to the manager, or "
                    "synchronise all system clocks by PTP or chrony and use vitrail-manager "
                    "--clock system"});
  }
}

void check_hosts(const sail::Json& stats, Findings& findings) {
  for (const sail::Json& reported : member(stats, "hosts")) {
    const auto host = sail::message_from_json<sail::HostStats>(reported);
    if (host) check_load(host->host, host->load, findings);
  }
}

void check_receivers(const sail::Json& state, Findings& findings) {
  for (const sail::Json& receiver : member(state, "receivers")) {
    if (true_member(receiver, "connected")) continue;
    const std::string why = text_member(member(receiver, "run"), "why");
    findings.push_back(
        {.severity = Severity::kBad,
         .about = "receiver " + text_member(receiver, "name"),
         .what = why.empty() ? "not connected" : "not connected: the receiver " + why,
         .advice = "see vitrail status and vitrail logs NODE"});
  }
}

void check_standby(const sail::Json& state, Findings& findings) {
  const sail::Json standby = member(state, "standby");
  if (standby.empty()) return;
  if (true_member(standby, "connected")) {
    findings.push_back({Severity::kGood, "standby",
                        fmt::format("{} follows the manager", text_member(standby, "address")),
                        ""});
    return;
  }
  const std::string why = text_member(member(standby, "run"), "why");
  findings.push_back({Severity::kBad, "standby",
                      why.empty() ? "not connected: nothing replaces the manager if it fails"
                                  : "not connected: the standby " + why,
                      "see vitrail logs standby, then run vitrail restart standby"});
}

}  // namespace ui
