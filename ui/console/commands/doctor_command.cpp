// The command doctor: checks this host, or nodes by ssh.
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "sail/core/address/address.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/host_load.h"
#include "sail/core/time/clock.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/wall_connection.h"
#include "ui/console/start/node_setup.h"
#include "ui/doctor/checks.h"

namespace ui {
namespace {

namespace fs = std::filesystem;
using Severity = Finding::Severity;

struct DoctorArguments {
  std::string node;
  bool all = false;
  std::string as;      // --as: the receiver that runs on this host
  std::string folder;  // --folder: measures the read speed of its disk
  std::string root;    // folder of the kernel's files, for a node without a desktop; or empty
};

struct Manager {
  std::unique_ptr<sail::RpcClient> client;
  sail::Json state;
};

// Connects to the manager. A missing manager is only a note, not a fault.
std::optional<Manager> find_manager(Context& context, Findings& findings) {
  const auto address = sail::manager_address(context.manager);
  if (!address) {
    findings.push_back({Severity::kBad, "manager", address.error().message, ""});
    return std::nullopt;
  }
  auto client = connect_to_wall(*address, {.hello = context.person});
  auto state = client ? (*client)->call("list", sail::Json::object())
                      : sail::Result<sail::Json>(client.error());
  if (!state) {
    findings.push_back({Severity::kNote, "manager", state.error().message,
                        "without a manager only this host is checked"});
    return std::nullopt;
  }
  const std::string version = text_member((*client)->welcome(), "version");
  const bool same = version == VITRAIL_VERSION;
  findings.push_back({same ? Severity::kGood : Severity::kBad, "version",
                      same ? fmt::format("{}, same as the manager", version)
                           : fmt::format("{} here, {} at the manager", VITRAIL_VERSION, version),
                      same ? "" : "install the same version on all hosts"});
  (*state)["source"] = text_member((*client)->welcome(), "clock");
  if (auto clocks = (*client)->call("clocks", sail::Json::object())) {
    (*state)["clocks"] = *std::move(clocks);
  }
  return Manager{*std::move(client), *std::move(state)};
}

// Measures this host's load for a second.
void check_own_load(Findings& findings) {
  constexpr auto kPause = std::chrono::milliseconds(500);
  sail::HostLoadMeter meter;
  meter.sample(sail::steady_now_ns());
  std::this_thread::sleep_for(kPause);
  meter.sample(sail::steady_now_ns());
  std::this_thread::sleep_for(kPause);
  const sail::HostLoad& load = meter.sample(sail::steady_now_ns());
  check_load("this host", load, findings);
}

// Returns the abilities of this host's receiver. Without a desktop, the displays are those that
// the kernel reports, because a running receiver keeps them for itself.
std::optional<sail::Json> abilities_of_node(const fs::path& root) {
  auto abilities = abilities_of_this_node();
  if (root.empty() || !abilities || abilities->contains("displays")) return abilities;
  const sail::Json displays = kernel_displays(root);
  if (displays.empty()) return abilities;
  abilities->erase("display_error");
  (*abilities)["displays"] = displays;
  return abilities;
}

// Reports the wall's problems with this cause. receiver: only those of this one; empty: all.
void check_problems(const sail::Json& state, const char* cause, const Finding& about,
                    Findings& findings, const std::string& receiver = {}) {
  for (const sail::Json& problem : member(member(state, "health"), "problems")) {
    if (text_member(problem, "cause") != cause) continue;
    if (!receiver.empty() && text_member(problem, "receiver") != receiver) continue;
    Finding finding = about;
    finding.what = text_member(problem, "sentence");
    findings.push_back(std::move(finding));
  }
}

Findings diagnose_this_host(Context& context, const DoctorArguments& arguments) {
  Findings findings;
  const auto manager = find_manager(context, findings);
  const sail::Json state = manager ? manager->state : sail::Json::object();
  const sail::Json wall = member(state, "wall");
  check_abilities(abilities_of_node(arguments.root), wall, arguments.as, findings);
  check_socket_buffers("/", findings);
  check_links("/", findings);
  check_clock("/", sail::read_system_clock(), text_member(state, "source") == "system",
              ask_time_daemons(), findings);
  const fs::path folder =
      arguments.folder.empty() ? fs::temp_directory_path() : fs::path(arguments.folder);
  check_disk(folder, findings);
  if (!manager) {
    check_own_load(findings);
    return findings;
  }
  check_hosts(manager->client->call("stats", sail::Json::object()).value_or(sail::Json::object()),
              findings);
  check_wall_time(member(state, "clocks"), arguments.as, findings);
  check_problems(state, "update", {Severity::kNote, "update", "", ""}, findings, arguments.as);
  if (arguments.as.empty()) {
    check_receivers(state, findings);
    check_standby(state, findings);
    check_problems(state, "webhook",
                   {Severity::kBad, "webhooks", "", "`vitrail webhooks test` tries again at once"},
                   findings);
    check_problems(
        state, "witness",
        {Severity::kBad, "witness", "", "start etcd, or mend the network to its servers"},
        findings);
  }
  const auto receivers = connected_receivers(state, manager->client->peer().local_address().host);
  check_ports(receivers, findings);
  const auto ask = [&] {
    return manager->client->call("list", sail::Json::object()).value_or(sail::Json::object());
  };
  check_packets(receivers, ask, findings);
  check_multicast(wall, receivers, ask, findings);
  const int mtu = static_cast<int>(number_member(wall, "mtu"));
  for (const Reached& receiver : receivers) {
    if (receiver.name != arguments.as) check_path(receiver.name, receiver.host, mtu, findings);
  }
  return findings;
}

Findings diagnose_node(Context& context, const std::string& node) {
  constexpr int64_t kRemoteTimeoutMs = 70'000;  // the manager itself times out after 60 s
  sail::RpcClient* client = context.connection();
  if (client == nullptr)
    return {{Severity::kBad, "manager", "not reachable", "start the wall: vitrail up WALL"}};
  const auto answer = client->call("doctor", {{"node", node}}, kRemoteTimeoutMs);
  if (answer) return findings_from(member(*answer, "findings"));
  return {{Severity::kBad, "node", answer.error().message,
           "ssh must log in without a prompt, and the vitrail command (package vitrail-cli) "
           "must be installed there"}};
}

int print_all(const Context& context, const std::vector<std::pair<std::string, Findings>>& nodes) {
  bool bad = false;
  sail::Json json = sail::Json::object();
  for (const auto& [name, findings] : nodes) {
    bad |= any_bad(findings);
    if (name.empty()) {
      json["findings"] = findings_json(findings);
    } else {
      json["nodes"].push_back({{"node", name}, {"findings", findings_json(findings)}});
    }
    if (context.json) continue;
    if (nodes.size() > 1) fmt::print("{}\n", name.empty() ? "this host" : name);
    fmt::print("{}\n", findings_text(findings));
  }
  if (context.json) fmt::print("{}\n", json.dump());
  return bad ? kFailed : kDone;
}

int doctor(Context& context, const DoctorArguments& arguments) {
  std::vector<std::pair<std::string, Findings>> nodes;
  if (!arguments.node.empty()) {
    nodes.emplace_back(arguments.node, diagnose_node(context, arguments.node));
    return print_all(context, nodes);
  }
  nodes.emplace_back("", diagnose_this_host(context, arguments));
  if (arguments.all) {
    const auto state = context.call("list", sail::Json::object());
    if (!state) return context.failure();
    for (const char* kind : {"receivers", "apps"}) {
      for (const sail::Json& node : member(member(*state, "wall"), kind)) {
        const std::string name = text_member(node, "name");
        nodes.emplace_back(name, diagnose_node(context, name));
      }
    }
  }
  return print_all(context, nodes);
}

// As systemd's %l.
std::string short_host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  const std::string_view whole = name.data();
  return std::string(whole.substr(0, whole.find('.')));
}

Finding check_key(const fs::path& root) {
  std::error_code ignored;
  const fs::path key = node_key(root);
  const bool has_key = fs::exists(key, ignored);
  return {has_key ? Severity::kGood : Severity::kBad, "key",
          fmt::format("{} {}", key.string(), has_key ? "exists" : "is missing"),
          has_key ? "" : "vitrail node setup --key FILE"};
}

// Checks this host as the display node that /etc/vitrail/receiver.env describes.
int check_node(Context& context, DoctorArguments arguments) {
  const auto settings = read_node_settings(arguments.root);
  if (!settings) return context.report(settings.error());
  if (context.manager.empty()) context.manager = settings->manager.value_or("");
  if (context.manager.empty()) context.manager = "mdns:";  // as vitrail-kiosk.service does
  if (arguments.as.empty()) arguments.as = settings->node.value_or("");
  if (arguments.as.empty()) arguments.as = short_host_name();
  setenv("VITRAIL_KEY_FILE", node_key(arguments.root).c_str(), 0);
  Findings findings{{Severity::kGood, "node", arguments.as, ""}, check_key(arguments.root)};
  const Findings host = diagnose_this_host(context, arguments);
  findings.insert(findings.end(), host.begin(), host.end());
  return print_all(context, {{"", std::move(findings)}});
}

}  // namespace

void add_node_check_command(const Command& node, Context& context) {
  const auto arguments = std::make_shared<DoctorArguments>();
  arguments->root = "/";
  const Command command = node.command(
      "check", "Find problems of this node, with advice: doctor with the node's settings and key");
  command.option("--node", arguments->as, "Name of this node in the wall file").form("NODE");
  command.option("--root", arguments->root, "Read settings and displays in this folder")
      .form("DIR")
      .existing_folder();
  command.runs([&context, arguments] { return check_node(context, *arguments); });
}

void add_doctor_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<DoctorArguments>();
  const Command command =
      app.command("doctor", "Find problems that degrade the picture, with advice").group("Wall");
  const Option node =
      command.option("node", arguments->node, "Node of the wall file to check by ssh");
  command.flag("--all", arguments->all, "Check this host and all nodes").excludes(node);
  command.option("--as", arguments->as, "Name of this host's receiver in the wall file")
      .form("NODE");
  command.option("--folder", arguments->folder, "Measure the read rate of the films in this folder")
      .form("DIR")
      .existing_folder();
  command.runs([&context, arguments] { return doctor(context, *arguments); });
}

}  // namespace ui
