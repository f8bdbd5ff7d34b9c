#include "sail/core/command_line/shared_options.h"

#include <fmt/core.h>

#include "sail/core/command_line/start_time.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

void add_manager_option(const Command& command, std::string& manager) {
  command
      .option("--manager", manager,
              "the wall's manager, or mdns:NAME, that of the wall NAME on this network, by "
              "avahi-daemon and with its key, or mdns: for any; else $VITRAIL_MANAGER, else "
              "127.0.0.1:7440")
      .form("HOST:PORT");
}

void add_transport_options(const Command& command, TransportOptions& options) {
  command.option_parsed(
      "--transport", "tcp|udp", options.transport, parse_transport,
      "how pictures travel: udp for long or lossy networks, where it mends what it can and "
      "waits for nothing; else as the wall's file says");
  command
      .option("--delay-ms", options.delay_ms,
              "from submission to the wall, 0 to 2000: pictures that are there sooner are kept "
              "till then, which evens out what the network does not; 0: shown at once. Else over "
              "udp what the links need, over tcp none")
      .limited(0, kMaxDelayMs)
      .form("MS");
  command
      .option("--mtu", options.mtu,
              "over udp: the largest packet that the network carries, bytes, 576 to 9216; else as "
              "the wall's file says")
      .limited(kMinMtu, kMaxMtu)
      .form("BYTES");
}

void add_group_options(const Command& command, std::string& group,
                       std::optional<int64_t>& start_at_ns) {
  command
      .option("--group", group,
              "the window shows its pictures in one swap with all others of this group; pause, "
              "seek and rate act on all of them")
      .form("NAME");
  command
      .option_read(
          "--start-at",
          [&start_at_ns](const std::string& text) -> std::string {
            const auto time_ns = parse_start_time(text, calendar_now_ns());
            if (!time_ns) return time_ns.error().message;
            start_at_ns = *time_ns;
            return "";
          },
          "begin at an instant: +SECONDS, HH:MM[:SS], YYYY-MM-DDTHH:MM[:SS] (local time) or "
          "@SECONDS since 1970")
      .form("TIME");
}

void add_listen_option(const Command& command, std::string& listen, uint16_t usual_port,
                       const std::string& who) {
  listen = fmt::format("127.0.0.1:{}", usual_port);
  command.option("--listen", listen, fmt::format("Where {} connect; port 0: any free one", who))
      .form("HOST:PORT")
      .shows_default();
}

void add_insecure_option(const Command& command, bool& insecure) {
  command.flag("--insecure", insecure,
               "Listen where other machines reach it although there is no key: everybody "
               "who does is let in");
}

void add_port_file_option(const Command& command, std::string& file) {
  command
      .option("--port-file", file,
              "Write the port's number into this file once listening (for scripts)")
      .form("FILE");
}

void add_log_level_option(const Command& command, LogLevel& level) {
  const auto read = [&level](const std::string& name) {
    return parse_log_level(name, level) ? "" : name + " is no level";
  };
  command.option_read("--log-level", read, "How much is said on standard error")
      .one_of({"debug", "info", "warning", "error", "off"})
      .shows_default("info");
  // Stored in the environment, so that child programs use the same format.
  const auto choose = [](const std::string& form) {
    return setenv("VITRAIL_LOG_FORMAT", form.c_str(), 1) == 0 ? "" : "cannot be kept";
  };
  command.option_read("--log-format", choose, "How: lines for people, or JSON, an object a line")
      .one_of({"text", "json"})
      .shows_default("text");
}

}  // namespace sail
