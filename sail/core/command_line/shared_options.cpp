#include "sail/core/command_line/shared_options.h"

#include <fmt/core.h>

#include "sail/core/command_line/start_time.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

void add_manager_option(const Command& command, std::string& manager) {
  command
      .option("--manager", manager,
              "address of the manager; mdns:NAME finds the manager of the wall NAME on this "
              "network, mdns: any manager (needs avahi-daemon and a key). Default: "
              "$VITRAIL_MANAGER, else 127.0.0.1:7440")
      .form("HOST:PORT");
}

void add_transport_options(const Command& command, TransportOptions& options) {
  command.option_parsed("--transport", "tcp|udp", options.transport, parse_transport,
                        "frame transport; udp recovers losses, for long or lossy networks. "
                        "Default: from the wall file");
  command
      .option("--delay-ms", options.delay_ms,
              "delay from submission to display in ms, 0 to 2000, to even out network jitter; 0: "
              "show at once. Default: as the links need with udp, 0 with tcp")
      .limited(0, kMaxDelayMs)
      .form("MS");
  command
      .option("--mtu", options.mtu,
              "largest UDP packet in bytes, 576 to 9216. Default: from the wall file")
      .limited(kMinMtu, kMaxMtu)
      .form("BYTES");
}

void add_group_options(const Command& command, std::string& group,
                       std::optional<int64_t>& start_at_ns) {
  command
      .option("--group", group,
              "show the frames in the same swap as all windows of this group; pause, seek and rate "
              "act on the whole group")
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
          "start time: +SECONDS, HH:MM[:SS], YYYY-MM-DDTHH:MM[:SS] (local time) or @SECONDS since "
          "1970")
      .form("TIME");
}

void add_listen_option(const Command& command, std::string& listen, uint16_t usual_port,
                       const std::string& who) {
  listen = fmt::format("127.0.0.1:{}", usual_port);
  command
      .option("--listen", listen,
              fmt::format("Address to listen on for {}; port 0: any free port", who))
      .form("HOST:PORT")
      .shows_default();
}

void add_insecure_option(const Command& command, bool& insecure) {
  command.flag(
      "--insecure", insecure,
      "Accept other machines without TLS and, if no key is set, without a key: anyone can connect");
}

void add_port_file_option(const Command& command, std::string& file) {
  command
      .option("--port-file", file,
              "Write the port number to this file once listening (for scripts)")
      .form("FILE");
}

void add_log_level_option(const Command& command, LogLevel& level) {
  const auto read = [&level](const std::string& name) {
    return parse_log_level(name, level) ? "" : name + " is not a log level";
  };
  command.option_read("--log-level", read, "Lowest level of log messages on standard error")
      .one_of({"debug", "info", "warning", "error", "off"})
      .shows_default("info");
  // Stored in the environment, so that child programs use the same format.
  const auto choose = [](const std::string& form) {
    return setenv("VITRAIL_LOG_FORMAT", form.c_str(), 1) == 0
               ? ""
               : "cannot set the environment variable VITRAIL_LOG_FORMAT";
  };
  command
      .option_read("--log-format", choose,
                   "Log format: readable text, or JSON with one object per line")
      .one_of({"text", "json"})
      .shows_default("text");
}

}  // namespace sail
