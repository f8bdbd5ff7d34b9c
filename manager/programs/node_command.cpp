#include "manager/programs/node_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/media/sources.h"
#include "manager/peers/receiver_roster.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/launch.h"

namespace manager {
namespace {

constexpr std::string_view kReadKey = "IFS= read -r VITRAIL_KEY; export VITRAIL_KEY; ";

// Returns the remote script: runs the program, and ends it when the script's input closes or the
// script is asked to end, however early. A loop reads the input, because `kill $watch` would not
// end a child of its own such as cat. manager: the manager's address, as text for a shell.
std::string script(const NodeProgram& program, const std::string& manager) {
  std::string line = environment_there(program.environment);
  line += " VITRAIL_MANAGER=" + manager;
  for (const std::string& word : program.words) line += " " + shell_word(word);
  return "exec 3<&0 </dev/null; trap 'ends=1; kill $program 2>&-' TERM; " + line +
         " 3<&- & program=$!; [ -z \"$ends\" ] || kill $program; { while read -r _; do :; done; "
         "kill $program; } <&3 >/dev/null 2>&1 3<&- & watch=$!; "
         "wait $program; status=$?; kill $watch 2>&-; exit $status";
}

// kUnavailable: a manager with this listening address is out of reach for the host.
sail::Result<void> check_reach(const std::string& host, const sail::Address& listen) {
  if (!sail::is_loopback(listen.host) || sail::is_loopback(host)) return {};
  return sail::fail(sail::ErrorCode::kUnavailable,
                    fmt::format("{} cannot reach the manager, which listens on {} only: start "
                                "the manager with --listen and this host's name or address",
                                host, listen.host));
}

NodeCommand here(const NodeProgram& program, const NodeStart& start) {
  NodeCommand command{.arguments = program.words, .environment = {}, .input = {}};
  command.environment = {"VITRAIL_MANAGER=" + sail::address_text(start.manager),
                         "VITRAIL_KEY=" + key_text(start.key)};
  for (const auto& [name, value] : program.environment) {
    command.environment.push_back(fmt::format("{}={}", name, value));
  }
  return command;
}

}  // namespace

std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (const char letter : word)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

bool is_any_address(std::string_view host) {
  return host == "0.0.0.0" || host == "::";
}

std::string address_there(const NodeStart& start) {
  if (!is_any_address(start.listen.host)) return shell_word(sail::address_text(start.listen));
  return fmt::format(R"("$vitrail_head:{}")", start.listen.port);
}

std::string environment_there(const std::map<std::string, std::string>& environment) {
  std::string line = "env";
  for (const auto& [name, value] : environment) {
    line += " " + shell_word(fmt::format("{}={}", name, value));
  }
  return line;
}

sail::Result<NodeCommand> ssh_command(const SshPlace& place, const std::string& script,
                                      const NodeStart& start) {
  if (auto reach = check_reach(place.host, start.listen); !reach) return reach.error();
  NodeCommand command;
  command.arguments = start.ssh;
  // ssh must not ask questions, which nobody could answer. A lost host is detected after 15 s.
  for (const char* option : {"-T", "-oBatchMode=yes", "-oConnectTimeout=10",
                             "-oServerAliveInterval=5", "-oServerAliveCountMax=3"}) {
    command.arguments.emplace_back(option);
  }
  if (!place.user.empty()) {
    command.arguments.insert(command.arguments.end(), {"-l", place.user});
  }
  if (place.port != 0) {
    command.arguments.insert(command.arguments.end(), {"-p", std::to_string(place.port)});
  }
  // The user's login shell may be any shell.
  constexpr std::string_view kAddresses =
      "set -- $SSH_CONNECTION; vitrail_head=$1; "
      "vitrail_here=$3; case $vitrail_head in *:*) vitrail_head=[$vitrail_head] "
      "vitrail_here=[$vitrail_here];; esac; ";
  command.arguments.insert(
      command.arguments.end(),
      {"--", place.host,
       "exec sh -c " + shell_word(std::string(kReadKey) + std::string(kAddresses) + script)});
  command.environment = {"VITRAIL_KEY"};
  command.input = key_text(start.key) + "\n";
  return command;
}

namespace {

// Returns the manager's address for a program behind a launcher, which does not tell from where it
// reached the host.
sail::Result<sail::Address> launcher_address(const NodeProgram& program, const NodeStart& start) {
  if (is_this_host(program.host)) return start.manager;
  if (is_any_address(start.listen.host)) {
    return sail::fail(
        sail::ErrorCode::kUnavailable,
        fmt::format("the manager listens on all addresses, and \"launch\" of '{}' does not tell "
                    "which of them {} reaches: start the manager with --listen and this host's "
                    "name or address",
                    program.node, program.host));
  }
  return check_reach(program.host, start.listen).map([&] { return start.listen; });
}

sail::Result<NodeCommand> launcher_command(const NodeProgram& program, const NodeStart& start) {
  const auto manager = launcher_address(program, start);
  if (!manager) return manager.error();
  const std::string there =
      std::string(kReadKey) + script(program, shell_word(sail::address_text(*manager)));
  return NodeCommand{
      .arguments = sail::launch_words(program.launch, {.node = program.node,
                                                       .host = program.host,
                                                       .user = program.user,
                                                       .command = {"sh", "-c", there}}),
      .environment = {"VITRAIL_KEY"},
      .input = key_text(start.key) + "\n"};
}

}  // namespace

sail::Result<NodeCommand> node_command(const NodeProgram& program, const NodeStart& start) {
  if (!program.launch.empty()) return launcher_command(program, start);
  if (is_this_host(program.host)) return here(program, start);
  return ssh_command({program.host, program.user, program.port},
                     script(program, address_there(start)), start);
}

NodeProgram receiver_program(const sail::ReceiverPlace& place, const ReceiverStart& start,
                             const sail::NodePower& power) {
  const bool near = is_this_host(place.host);
  NodeProgram program{.node = place.name,
                      .host = place.host,
                      .user = place.user,
                      .port = place.port,
                      .launch = place.launch,
                      .environment = place.environment,
                      .words = {}};
  const std::string usual = near ? start.program : "vitrail-receiver";
  program.words = {place.program.empty() ? usual : place.program, "--name", place.name, "--display",
                   place.display.empty() ? start.display : place.display};
  if (!power.empty()) {
    program.words.insert(program.words.end(), {"--power", node_power_json(power).dump()});
  }
  program.words.insert(program.words.end(), place.arguments.begin(), place.arguments.end());
  // The receiver ends with the wall, even if another manager runs the wall by then.
  program.environment["VITRAIL_LAUNCHED"] = "1";
  return program;
}

NodeProgram app_program(const sail::AppPlace& place, bool second, std::vector<std::string> words) {
  return {.node = place.name,
          .host = second ? place.second_host : place.host,
          .user = place.user,
          .port = place.port,
          .launch = place.launch,
          .environment = place.environment,
          .words = std::move(words)};
}

std::vector<std::string> ssh_words() {
  std::vector<std::string> words = sail::split_words(sail::environment("VITRAIL_SSH"));
  return words.empty() ? std::vector<std::string>{"ssh"} : words;
}

std::vector<sail::AppPlace> render_nodes(const sail::Wall& wall) {
  std::vector<sail::AppPlace> nodes = wall.apps;
  for (const sail::ReceiverPlace& receiver : wall.receivers) {
    nodes.push_back({.name = receiver.name,
                     .host = receiver.host,
                     .user = receiver.user,
                     .port = receiver.port,
                     .launch = receiver.launch,
                     .environment = receiver.environment});
  }
  return nodes;
}

sail::Result<void> add_app_commands(const sail::Wall& wall, std::vector<Source>& commands) {
  for (const sail::AppPlace& app : wall.apps) {
    if (app.command.empty()) continue;
    auto sources = parse_commands({{app.name, {{"arguments", app.command}}}});
    if (!sources) return sources.error();
    Source& source = sources->front();
    if (!app.host.empty()) source.detail = fmt::format("{} on {}", source.detail, app.host);
    if (std::ranges::find(commands, source.id, &Source::id) != commands.end()) {
      return sail::fail(
          sail::ErrorCode::kConflict,
          fmt::format("'{}' is both a command and an app of the wall: rename one", app.name));
    }
    commands.push_back(std::move(source));
  }
  return {};
}

namespace {

bool has_option(const sail::StandbyPlace& place, const std::string& option) {
  return std::ranges::any_of(place.arguments, [&](const std::string& argument) {
    return argument == option || argument.starts_with(option + "=");
  });
}

// Returns a listening address on the other host, as text for a shell there: all addresses, if this
// manager listens on all, else the address that ssh connected to.
std::string listen_address_there(const sail::Address& ours) {
  if (is_any_address(ours.host)) return shell_word(sail::address_text(ours));
  return fmt::format(R"("$vitrail_here:{}")", ours.port);
}

// Returns the address of the standby's page; empty: the default, which is loopback.
std::string page_there(const sail::StandbyPlace& place, const StandbyStart& start) {
  if (!start.page) return "off";
  if (sail::is_loopback(start.page->host)) return "";
  // A page that was served by HTTPS must not continue without it.
  const bool has_certificate = has_option(place, "--page-certificate") ||
                               place.environment.contains("VITRAIL_PAGE_CERTIFICATE");
  if (start.certificate && !has_certificate) return "off";
  return listen_address_there(*start.page);
}

NodeCommand here(const sail::StandbyPlace& place, const StandbyStart& start) {
  const sail::Address any_port{start.node.manager.host, 0};
  NodeCommand command;
  command.arguments = {place.program.empty() ? start.program : place.program, "--standby-of",
                       sail::address_text(start.node.manager), "--listen",
                       place.listen.empty() ? sail::address_text(any_port) : place.listen};
  const auto add = [&](const std::vector<std::string>& words) {
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
  };
  // The standby takes over this manager's page: the port is free once this manager has ended.
  if (!has_option(place, "--page")) {
    add({"--page", start.page ? sail::address_text(*start.page) : "off"});
  }
  if (start.page && start.certificate && !has_option(place, "--page-certificate")) {
    add({"--page-certificate", start.certificate->certificate.string(), "--page-key",
         start.certificate->key.string()});
  }
  add(start.options);
  add(place.arguments);
  command.environment = {"VITRAIL_KEY=" + key_text(start.node.key), "VITRAIL_LAUNCHED=1"};
  for (const auto& [name, value] : place.environment) {
    command.environment.push_back(fmt::format("{}={}", name, value));
  }
  return command;
}

std::string script(const sail::StandbyPlace& place, const StandbyStart& start) {
  auto environment = place.environment;
  environment["VITRAIL_LAUNCHED"] = "1";
  std::string line = "exec " + environment_there(environment);
  line += " " + shell_word(place.program.empty() ? "vitrail-manager" : place.program);
  line += " --standby-of " + address_there(start.node) + " --listen ";
  line += place.listen.empty() ? listen_address_there(start.node.listen) : shell_word(place.listen);
  const std::string page = has_option(place, "--page") ? "" : page_there(place, start);
  if (!page.empty()) line += " --page " + page;
  for (const auto* words : {&start.options, &place.arguments}) {
    for (const std::string& word : *words) line += " " + shell_word(word);
  }
  return line + " </dev/null";
}

}  // namespace

sail::Result<NodeCommand> standby_command(const sail::StandbyPlace& place,
                                          const StandbyStart& start) {
  if (is_this_host(place.host)) return here(place, start);
  return ssh_command({place.host, place.user, place.port}, script(place, start), start.node);
}

}  // namespace manager
