// What the command lines of vitrail-share and vitrail-show have in common: the manager, the window
// and how its pictures travel.
#pragma once

#include <optional>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/log.h"
#include "sail/command_line/command_line.h"
#include "sail/program/wall_window.h"
#include "sail/wire/transport_options.h"

namespace sail {

struct DeskOptions {
  std::string manager;        // HOST:PORT; empty: libsail's own choice
  std::string title;          // empty: what is shown names itself
  std::optional<Rect> place;  // wall pixels; without a size the picture's own
  // Texts have sharp coloured edges, which DXT1 smears.
  std::string codec = "dxt5ycocg";
  TransportOptions transport{};
  int threads = 0;  // that encode; 0: one a core
  LogLevel log_level = LogLevel::kInfo;
};

// log outlives the session.
WallSession session_of(const DeskOptions& options, const char* program, const Log& log);
// Of a window with pictures of that size.
Opening opening_for(const DeskOptions& options, Size size);

// Adds their options to a command line; `options` outlives it.
void add_desk_options(const Command& line, DeskOptions& options);

}  // namespace sail
