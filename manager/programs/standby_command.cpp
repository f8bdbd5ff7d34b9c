#include "manager/programs/standby_command.h"

#include <fmt/core.h>

#include <algorithm>

namespace manager {
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

// Returns where its page will be; empty: its default, which is loopback.
std::string page_there(const sail::StandbyPlace& place, const StandbyStart& start) {
  if (!start.page) return "off";
  if (sail::is_loopback(start.page->host)) return "";
  // A page that was served by HTTPS is not served without it.
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
  // The same page: its port is free once this manager has ended.
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
