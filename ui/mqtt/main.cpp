// vitrail-mqtt: the wall's state on an MQTT broker, and verbs from it.
#include <fmt/core.h>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/private_file.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wall/event_request.h"
#include "ui/mqtt/mqtt_bridge.h"

namespace {

constexpr uint16_t kPlainPort = 1883;
constexpr uint16_t kTlsPort = 8883;
constexpr size_t kMaxPrefix = 128;
constexpr size_t kMaxPassword = 1024;

struct Arguments {
  std::string manager;
  std::string broker = "127.0.0.1";
  std::string password_file;
  std::vector<std::string> events;
  ui::BridgeOptions bridge;
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

const char* const kNotes =
    R"(Topics below the prefix, retained, JSON: online, wall, health, blank, sound, receivers/NAME,
windows/NUMBER. With --calls, a message to call/VERB or call/VERB/ID runs the verb with the
parameters in its payload, a JSON object; result/VERB/ID gets {"result": …} or {"error": …}. Verbs
and objects: manager/COMMANDS.md.

With --event, each message of the topic begins the event of this name (manager/events/README.md):
the rule's "event" is the topic as the option has it. The payload is the message's JSON object, or
else {"value": MESSAGE}, with the topic as "topic". "id" and "clear" are as of /api/event/NAME
(manager/API.md). Events need neither --calls nor a reply.

Everybody who may publish to the broker can run the verbs of the bridge's key, so with --calls the
wall's own key is refused. Give the bridge a key of a role:

Example: VITRAIL_KEY=$(vitrail key show --role operator --name mqtt) vitrail-mqtt --calls
         mosquitto_pub -t vitrail/call/blank -m '{"on": true}'
         vitrail-mqtt --event 'doors/+/state?id=topic&clear=value:closed')";

std::string check_event(const std::string& text) {
  const auto event = sail::read_event_request(text);
  if (!event) return event.error().message;
  return ui::Broker::is_filter(event->name) ? ""
                                            : "must begin with a topic, or a filter like a/+/b";
}

std::string check_prefix(const std::string& prefix) {
  const bool good = !prefix.empty() && prefix.size() <= kMaxPrefix && !prefix.starts_with('/') &&
                    !prefix.starts_with('$') && !prefix.ends_with('/') &&
                    prefix.find_first_of("+#") == std::string::npos;
  return good ? "" : "must be a topic of at most 128 bytes without + and #, like hall/wall";
}

sail::Result<void> complete(Arguments& arguments) {
  ui::BridgeOptions& bridge = arguments.bridge;
  const auto manager = sail::manager_address(arguments.manager);
  if (!manager) return manager.error();
  bridge.manager = *manager;
  const auto broker = sail::parse_address(
      arguments.broker, {"127.0.0.1", bridge.broker.ca_file.empty() ? kPlainPort : kTlsPort});
  if (!broker) return broker.error();
  bridge.broker.address = *broker;
  for (const std::string& text : arguments.events) {
    bridge.events.push_back(*sail::read_event_request(text));
    if (bridge.events.back().name.starts_with(bridge.prefix + "/")) {
      return sail::fail(
          sail::ErrorCode::kInvalidParams,
          fmt::format("--event {}: topics below {}/ are the wall's own; choose another --prefix",
                      bridge.events.back().name, bridge.prefix));
    }
  }
  if (arguments.password_file.empty()) return {};
  const auto password = sail::read_file(arguments.password_file, kMaxPassword);
  if (!password) return password.error();
  bridge.broker.password = password->substr(0, password->find_first_of("\r\n"));
  return {};
}

// The wall's own key allows everything, also to end the wall and to read files of its host.
sail::Result<void> check_key(const ui::BridgeOptions& bridge) {
  const auto key = sail::key_for(bridge.manager);
  if (!key) return key.error();
  if (!bridge.accepts_calls || key->secret.empty() || !key->name.empty()) return {};
  return sail::fail(sail::ErrorCode::kUnauthorized,
                    "--calls with the wall's own key would let the broker's clients do everything: "
                    "set VITRAIL_KEY to the output of `vitrail key show --role operator`");
}

void describe(const sail::Command& line, Arguments& arguments) {
  ui::BridgeOptions& bridge = arguments.bridge;
  bridge.hello.name = "mqtt";
  bridge.prefix = "vitrail";
  sail::add_manager_option(line, arguments.manager);
  line.option("--broker", arguments.broker,
              "Address of the broker; the port is 1883, with TLS 8883 by default")
      .form("HOST[:PORT]")
      .shows_default();
  line.option("--prefix", bridge.prefix, "Beginning of all topics")
      .form("TOPIC")
      .check(check_prefix)
      .shows_default();
  line.flag("--calls", bridge.accepts_calls, "Run verbs that arrive as messages");
  line.option("--event", arguments.events,
              "Begin an event with each message of this topic, and clear it; may be repeated")
      .form("'TOPIC[?id=FIELD][&clear=FIELD:VALUE]'")
      .check(check_event);
  const sail::Option user = line.option("--user", bridge.broker.user, "User name for the broker");
  line.option("--password-file", arguments.password_file, "File with the password of --user")
      .form("FILE")
      .needs(user);
  line.option("--ca", bridge.broker.ca_file,
              "Use TLS; PEM file with the certificates that sign the broker's")
      .form("FILE");
  sail::add_log_level_option(line, arguments.log_level);
  line.notes(kNotes);
}

sail::Result<void> run(Arguments& arguments) {
  if (auto completed = complete(arguments); !completed) return completed;
  if (auto good = check_key(arguments.bridge); !good) return good;
  const sail::Log log("vitrail-mqtt", arguments.log_level);
  sail::Loop loop;
  sail::Result<void> end;
  const auto bridge = ui::MqttBridge::start(
      loop, arguments.bridge,
      [&](const sail::Error& error) {
        end = error;
        loop.stop();
      },
      log);
  if (!bridge) return bridge.error();
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  return end;
}

}  // namespace

int vitrail_mqtt_main(int argc, char** argv) {
  sail::CommandLine line(
      "vitrail-mqtt",
      "Publish the state of a Vitrail wall to an MQTT broker, and run verbs that "
      "arrive from the broker.");
  Arguments arguments;
  describe(line, arguments);
  return line.run(argc, argv, [&] { return run(arguments); });
}
