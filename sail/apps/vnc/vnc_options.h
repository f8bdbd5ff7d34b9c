// Command line of vitrail-vnc.
#pragma once

#include <string>
#include <variant>

#include "sail/apps/program/program_shell.h"
#include "sail/apps/vnc/vnc_desktop.h"

namespace sail {

struct VncOptions : ShellOptions {
  VncAddress desktop;
  std::string password_file;  // empty: asked for in a terminal if required
  bool view_only = false;
};

std::variant<VncOptions, CommandLineAnswer> parse_vnc_options(int count,
                                                              const char* const* arguments);

}  // namespace sail
