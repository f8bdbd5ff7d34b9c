// Options that all programs with a window on the wall have in common.
#pragma once

#include <string>

#include "sail/command_line/command_line.h"
#include "sail/wire/transport.h"

namespace sail {

// --manager HOST:PORT; empty: libsail's own choice.
void add_manager_option(const Command& command, std::string& manager);

// --transport, --delay-ms and --mtu.
void add_transport_options(const Command& command, TransportOptions& options);

// --threads; 0: one a core.
void add_threads_option(const Command& command, int& threads, const std::string& help);

constexpr const char* kPlaceHelp =
    "where the window goes, wall pixels; else the manager chooses. Before a minus sign write "
    "--place=-10,20";

}  // namespace sail
