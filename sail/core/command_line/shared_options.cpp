#include "sail/core/command_line/shared_options.h"

#include <fmt/core.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/data/packets.h"

namespace sail {
namespace {

constexpr int64_t kDayNs = 86400 * kSecondNs;

std::optional<double> seconds_in(const std::string& text) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str() + 1, &end);
  if (text.size() < 2 || *end != '\0' || !(std::abs(seconds) < 1e10)) return std::nullopt;
  return seconds;
}

// Parses a local time; fields not in the format are taken from `time`.
std::optional<int64_t> local_time(const std::string& text, const char* format, tm time) {
  const char* end = strptime(text.c_str(), format, &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  time.tm_isdst = -1;
  const time_t seconds = mktime(&time);
  if (seconds < 0) return std::nullopt;
  return int64_t{seconds} * kSecondNs;
}

std::optional<int64_t> read(const std::string& text, int64_t now_ns) {
  if (text.starts_with("+") || text.starts_with("@")) {
    const auto seconds = seconds_in(text);
    if (!seconds) return std::nullopt;
    return (text[0] == '+' ? now_ns : 0) + std::llround(*seconds * kSecondNs);
  }
  const time_t now = now_ns / kSecondNs;
  tm today{};
  localtime_r(&now, &today);
  today.tm_sec = 0;
  for (const char* format : {"%H:%M:%S", "%H:%M"}) {
    auto time_ns = local_time(text, format, today);
    if (!time_ns) continue;
    if (*time_ns + kSecondNs > now_ns) return time_ns;
    ++today.tm_mday;
    return local_time(text, format, today);
  }
  for (const char* format : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"}) {
    if (const auto time_ns = local_time(text, format, tm{})) return time_ns;
  }
  return std::nullopt;
}

}  // namespace

Result<int64_t> parse_start_time(const std::string& text, int64_t now_ns) {
  const auto time_ns = read(text, now_ns);
  if (!time_ns) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("\"{}\" is not a time: use +SECONDS, HH:MM[:SS], YYYY-MM-DDTHH:MM[:SS] "
                            "or @SECONDS since 1970",
                            text));
  }
  if (*time_ns > now_ns + 366 * kDayNs || *time_ns < now_ns - kDayNs) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("\"{}\" is more than a year ahead or a day ago", text));
  }
  return *time_ns;
}

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

void add_certificate_options(const Command& command, std::string& certificate, std::string& key) {
  const Option shown =
      command.option("--certificate", certificate, "Certificate for HTTPS (PEM)").form("FILE");
  const Option of_key =
      command.option("--certificate-key", key, "Private key of the certificate (PEM)")
          .form("FILE")
          .needs(shown);
  shown.needs(of_key);
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
