// Options that several programs share, with the same texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/wall/transport.h"

namespace sail {

// --manager HOST:PORT; empty: $VITRAIL_MANAGER, else this host.
void add_manager_option(const Command& command, std::string& manager);

// --transport, --delay-ms and --mtu.
void add_transport_options(const Command& command, TransportOptions& options);

// --listen HOST:PORT. usual_port: default, on the loopback address. who: "clients".
void add_listen_option(const Command& command, std::string& listen, uint16_t usual_port,
                       const std::string& who);

// --insecure: let other machines connect without TLS and, if no key is set, without a key.
void add_insecure_option(const Command& command, bool& insecure);

// --port-file FILE; empty: none.
void add_port_file_option(const Command& command, std::string& file);

// --certificate FILE and --certificate-key FILE, for HTTPS: both or none.
void add_certificate_options(const Command& command, std::string& certificate, std::string& key);

// --group NAME and --start-at TIME: see parse_start_time.
void add_group_options(const Command& command, std::string& group,
                       std::optional<int64_t>& start_at_ns);

// --log-level and --log-format.
void add_log_level_option(const Command& command, LogLevel& level);

// Parses "+SECONDS" from now, "HH:MM[:SS]" today (tomorrow if that is past),
// "YYYY-MM-DDTHH:MM[:SS]", or "@SECONDS" since 1970. Times of day are local. Returns ns since 1970;
// kInvalidParams if more than a year ahead or more than a day in the past.
Result<int64_t> parse_start_time(const std::string& text, int64_t now_ns);

}  // namespace sail
