#include "manager/node_command.h"

#include <fmt/core.h>

#include <sstream>

#include "sail/base/environment.h"

namespace manager {
namespace {

// One word for a POSIX shell, whatever is in it.
std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (const char letter : word)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

// What both ways have in common, but for the manager's address.
std::vector<std::string> receiver_options(const sail::ReceiverPlace& place,
                                          const ReceiverStart& start) {
  std::vector<std::string> options = {"--name", place.name, "--display",
                                      place.display.empty() ? start.display : place.display};
  options.insert(options.end(), place.arguments.begin(), place.arguments.end());
  return options;
}

// The manager's address for programs of that host, for a shell there. Where the manager has several
// it is the one that ssh came from: that way is known to work.
std::string address_there(const ReceiverStart& start) {
  const bool any = start.listen.host == "0.0.0.0" || start.listen.host == "::";
  if (!any) return shell_word(sail::address_text(start.listen));
  return fmt::format(R"("$vitrail_head:{}")", start.listen.port);
}

// The program of the other host, for a shell there. It is told to end when the shell's input ends.
std::string script(const sail::ReceiverPlace& place, const ReceiverStart& start) {
  std::string program = "env";
  for (const auto& [name, value] : place.environment) {
    program += " " + shell_word(fmt::format("{}={}", name, value));
  }
  program += " " + shell_word(place.program.empty() ? "vitrail-receiver" : place.program);
  program += " --manager " + address_there(start);
  for (const std::string& option : receiver_options(place, start)) {
    program += " " + shell_word(option);
  }
  return "IFS= read -r VITRAIL_KEY; export VITRAIL_KEY; vitrail_head=${SSH_CONNECTION%% *}; "
         "case $vitrail_head in *:*) vitrail_head=[$vitrail_head];; esac; exec 3<&0 </dev/null; " +
         program +
         " 3<&- & program=$!; { cat; kill $program; } <&3 >/dev/null 2>&1 3<&- & watch=$!; "
         "wait $program; status=$?; kill $watch; exit $status";
}

NodeCommand here(const sail::ReceiverPlace& place, const ReceiverStart& start) {
  NodeCommand command;
  command.arguments = {place.program.empty() ? start.program : place.program, "--manager",
                       sail::address_text(start.manager)};
  for (std::string& option : receiver_options(place, start)) {
    command.arguments.push_back(std::move(option));
  }
  command.environment = {"VITRAIL_KEY=" + start.key};
  for (const auto& [name, value] : place.environment) {
    command.environment.push_back(fmt::format("{}={}", name, value));
  }
  return command;
}

NodeCommand by_ssh(const sail::ReceiverPlace& place, const ReceiverStart& start) {
  NodeCommand command;
  command.arguments = start.ssh;
  // Nobody is there to answer questions; a host that is gone is known to be after 15 s.
  for (const char* option : {"-T", "-oBatchMode=yes", "-oConnectTimeout=10",
                             "-oServerAliveInterval=5", "-oServerAliveCountMax=3"}) {
    command.arguments.emplace_back(option);
  }
  if (!place.user.empty()) command.arguments.insert(command.arguments.end(), {"-l", place.user});
  if (place.port != 0) {
    command.arguments.insert(command.arguments.end(), {"-p", std::to_string(place.port)});
  }
  // The shell that a user logs in with may be any.
  command.arguments.insert(command.arguments.end(),
                           {"--", place.host, "exec sh -c " + shell_word(script(place, start))});
  command.environment = {"VITRAIL_KEY"};
  command.input = start.key + "\n";
  return command;
}

}  // namespace

bool is_this_host(std::string_view host) {
  return host.empty() || host == "localhost" || host == "127.0.0.1" || host == "::1";
}

sail::Result<NodeCommand> node_command(const sail::ReceiverPlace& place,
                                       const ReceiverStart& start) {
  if (is_this_host(place.host)) return here(place, start);
  if (sail::is_loopback(start.listen.host) && !sail::is_loopback(place.host)) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      fmt::format("{} cannot reach a manager that listens on {} alone: let it "
                                  "listen on this host's name or address",
                                  place.host, start.listen.host));
  }
  return by_ssh(place, start);
}

std::vector<std::string> ssh_words() {
  std::istringstream text(sail::environment("VITRAIL_SSH"));
  std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  return words.empty() ? std::vector<std::string>{"ssh"} : words;
}

}  // namespace manager
