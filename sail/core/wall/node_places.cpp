#include "sail/core/wall/node_places.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/launch.h"

namespace sail {
namespace {

constexpr size_t kMaxHostLength = 255;
constexpr size_t kMaxWords = 64;  // arguments or variables of one program
constexpr int kMaxPort = 65535;
constexpr const char* kHostMistake = "must be a host name or an address";
constexpr const char* kArgumentsMistake = R"(must be ["--option", "its value", ...])";

// Reads a word for ssh's command line; it must not contain spaces or look like an option.
std::string read_ssh_word(JsonFields& fields, const char* key, const char* mistake) {
  std::string word = fields.string_or(key, kMaxHostLength, "");
  if (word.starts_with('-') || word.find(' ') != std::string::npos) fields.mistake(key, mistake);
  return word;
}

bool is_variable_name(std::string_view text) {
  const auto fits = [](char letter) {
    return letter == '_' || (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
           (letter >= '0' && letter <= '9');
  };
  return !text.empty() && std::ranges::all_of(text, fits) && (text[0] < '0' || text[0] > '9');
}

std::map<std::string, std::string> read_environment(JsonFields& fields) {
  std::map<std::string, std::string> environment;
  if (!fields.has("environment")) return environment;
  const Json& object = fields.object("environment");
  if (object.size() > kMaxWords) fields.mistake("environment", "has too many variables");
  for (const auto& [name, value] : object.items()) {
    if (!is_variable_name(name) || !value.is_string() || !is_plain_text(value.get<std::string>())) {
      fields.mistake("environment", R"(must be {"NAME": "its value", ...})");
    } else {
      environment[name] = value;
    }
  }
  return environment;
}

// The address in the system's canonical form, in which peers' addresses are reported.
std::optional<std::string> system_text(const std::string& address) {
  std::array<uint8_t, sizeof(in6_addr)> bytes{};
  std::array<char, INET6_ADDRSTRLEN> text{};
  for (const int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, address.c_str(), bytes.data()) != 1) continue;
    return inet_ntop(family, bytes.data(), text.data(), text.size());
  }
  return std::nullopt;
}

std::string read_announce(JsonFields& fields) {
  if (!fields.has("announce")) return {};
  const auto address = system_text(fields.string("announce", kMaxHostLength));
  if (!address) fields.mistake("announce", "must be a numeric address such as \"10.0.0.11\"");
  return address.value_or("");
}

bool is_of_header(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
}

std::string read_header(JsonFields& fields, const char* key, const char* example) {
  std::string header = lower(fields.string(key, kMaxNameLength));
  if (header.empty() || !std::ranges::all_of(header, is_of_header)) {
    fields.mistake(key, fmt::format("must be an HTTP header name, such as \"{}\"", example));
  }
  return header;
}

constexpr const char* kRoleMistake = "must be viewer, presenter, operator or admin";

bool is_role(std::string_view word) {
  constexpr std::array<std::string_view, 4> kRoles = {"viewer", "presenter", "operator", "admin"};
  return std::ranges::find(kRoles, word) != kRoles.end();
}

// Reads the roles of a proxy's groups. "," and "|" separate groups in its header.
std::map<std::string, std::string> read_groups(JsonFields& fields) {
  std::map<std::string, std::string> groups;
  const Json& object = fields.object("groups");
  if (object.empty() || object.size() > kMaxWords) {
    fields.mistake("groups", fmt::format("must have 1 to {} groups", kMaxWords));
  }
  for (const auto& [name, role] : object.items()) {
    const bool named = !name.empty() && name.size() <= kMaxTitleLength && is_plain_text(name) &&
                       name.find_first_of(",|") == std::string::npos && name.front() != ' ' &&
                       name.back() != ' ';
    if (!named || !role.is_string() || !is_role(role.get<std::string>())) {
      fields.mistake("groups", R"(must be {"GROUP": "operator", ...}: names without , and |, and )"
                               "roles (viewer, presenter, operator, admin)");
      continue;
    }
    groups[name] = role;
  }
  return groups;
}

// Reads the keys about the host that starts the program.
void read_host(JsonFields& fields, auto& place) {
  place.host = read_ssh_word(fields, "host", kHostMistake);
  place.user = read_ssh_word(fields, "user", "must be a user name on that host");
  place.port = static_cast<int>(fields.integer_or("port", 1, kMaxPort, 0));
  place.environment = read_environment(fields);
}

// Reads the launcher of a place whose host was read before. Nothing that the place says about its
// host is ignored silently.
void read_launcher(JsonFields& fields, auto& place, const std::string& usual) {
  const bool own = fields.has("launch");
  place.launch = own ? read_launch(fields) : place.host.empty() ? std::string() : usual;
  if (place.launch.empty()) return;
  const auto uses = [&](const char* placeholder) {
    return place.launch.find(placeholder) != std::string::npos;
  };
  if (uses("{host}") && place.host.empty()) {
    fields.mistake("launch", "contains {host}, but this entry has no 'host'");
  }
  if (uses("{user}") && place.user.empty()) {
    fields.mistake("launch", "contains {user}, but this entry has no 'user'");
  }
  if (!uses("{user}") && !place.user.empty()) {
    fields.mistake("user", "is not used: 'launch' does not contain {user}");
  }
  if (place.port != 0) fields.mistake("port", "is for ssh: put the port into 'launch'");
}

}  // namespace

std::string read_launch(JsonFields& fields) {
  if (!fields.has("launch")) return {};
  std::string launch = fields.string("launch", kMaxLaunchBytes);
  if (launch == "ssh") return {};
  const auto mistake = launch_mistake(launch);
  if (!mistake) return launch;
  fields.mistake("launch", *mistake);
  return {};
}

std::vector<std::string> read_words(JsonFields& fields, const char* key, const char* mistake) {
  std::vector<std::string> words;
  if (!fields.has(key)) return words;
  for (const Json& word : fields.array(key, kMaxWords)) {
    if (!word.is_string() || !is_plain_text(word.get<std::string>())) {
      fields.mistake(key, mistake);
      break;
    }
    words.push_back(word);
  }
  return words;
}

std::optional<PowerControl> read_own_power(JsonFields& fields) {
  auto control = read_power(fields.object("power"), fields.where() + ": power");
  if (control) return *std::move(control);
  fields.mistake(std::move(control).error());
  return std::nullopt;
}

Result<std::vector<ReceiverPlace>> read_receivers(const Json& list, const std::string& launch) {
  std::vector<ReceiverPlace> receivers;
  Mistakes mistakes;
  for (size_t i = 0; i < list.size(); ++i) {
    JsonFields fields(list[i], fmt::format("receivers[{}]", i), JsonFields::Report::kAll);
    ReceiverPlace receiver;
    receiver.name = fields.string("name", kMaxNameLength);
    check_name(fields, "name", receiver.name);
    read_host(fields, receiver);
    read_launcher(fields, receiver, launch);
    receiver.program = fields.string_or("program", kMaxHostLength, "");
    receiver.display = fields.string_or("display", kMaxHostLength, "");
    receiver.arguments = read_words(fields, "arguments", kArgumentsMistake);
    receiver.announce = read_announce(fields);
    if (fields.has("power")) receiver.power = read_own_power(fields);
    if (auto error = fields.finish()) mistakes.add(*error);
    receivers.push_back(std::move(receiver));
  }
  if (mistakes.error()) return *mistakes.error();
  if (const auto name = repeated_name(receivers)) {
    return fail(
        ErrorCode::kInvalidParams,
        fmt::format("receivers: the name \"{}\" is used twice; every receiver needs its own",
                    *name));
  }
  return receivers;
}

Result<std::vector<AppPlace>> read_apps(const Json& list,
                                        const std::vector<ReceiverPlace>& receivers,
                                        const std::string& launch) {
  std::vector<AppPlace> apps;
  Mistakes mistakes;
  for (size_t i = 0; i < list.size(); ++i) {
    JsonFields fields(list[i], fmt::format("apps[{}]", i), JsonFields::Report::kAll);
    AppPlace app;
    app.name = fields.string("name", kMaxNameLength);
    check_name(fields, "name", app.name);
    if (std::ranges::find(receivers, app.name, &ReceiverPlace::name) != receivers.end()) {
      fields.mistake("name", "is the name of a receiver; every node needs its own");
    }
    read_host(fields, app);
    read_launcher(fields, app, launch);
    app.second_host = read_ssh_word(fields, "second_host", kHostMistake);
    app.command = read_words(fields, "command", R"(must be ["program", "its argument", ...])");
    if (auto error = fields.finish()) mistakes.add(*error);
    apps.push_back(std::move(app));
  }
  if (mistakes.error()) return *mistakes.error();
  if (const auto name = repeated_name(apps)) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("apps: the name \"{}\" is used twice; every app needs its own", *name));
  }
  return apps;
}

Result<StandbyPlace> read_standby(const Json& object) {
  JsonFields fields(object, StandbyPlace::kName, JsonFields::Report::kAll);
  StandbyPlace standby;
  read_host(fields, standby);
  standby.program = fields.string_or("program", kMaxHostLength, "");
  standby.listen = read_ssh_word(fields, "listen", R"(must be "HOST:PORT")");
  standby.arguments = read_words(fields, "arguments", kArgumentsMistake);
  if (auto error = fields.finish()) return *error;
  return standby;
}

Result<std::vector<std::string>> read_manager(const Json& object) {
  JsonFields fields(object, "manager", JsonFields::Report::kAll);
  auto arguments = read_words(fields, "arguments", kArgumentsMistake);
  if (auto error = fields.finish()) return *error;
  return arguments;
}

Result<ProxyPlace> read_proxy(const Json& object) {
  constexpr const char* kFromMistake = R"(must be numeric addresses, such as ["10.0.0.5"])";
  JsonFields fields(object, "proxy", JsonFields::Report::kAll);
  ProxyPlace proxy;
  for (const std::string& text : read_words(fields, "from", kFromMistake)) {
    const auto address = system_text(text);
    if (!address) fields.mistake("from", kFromMistake);
    proxy.from.push_back(address.value_or(""));
  }
  if (proxy.from.empty()) fields.mistake("from", kFromMistake);
  proxy.header = read_header(fields, "header", "X-Forwarded-User");
  if (fields.has("groups")) {
    proxy.groups_header = read_header(fields, "groups_header", "X-Forwarded-Groups");
    proxy.groups = read_groups(fields);
  } else if (fields.has("groups_header")) {
    fields.mistake("groups_header", "needs 'groups', such as {\"wall-operators\": \"operator\"}");
  }
  proxy.role = fields.string_or("role", kMaxNameLength, "");
  if (!proxy.role.empty() && !is_role(proxy.role)) fields.mistake("role", kRoleMistake);
  if (auto error = fields.finish()) return *error;
  return proxy;
}

}  // namespace sail
