// vitrail-vnc's command line.
#pragma once

#include <string>
#include <variant>

#include "sail/desk/vnc_desktop.h"
#include "sail/program/program_shell.h"

namespace sail {

struct VncOptions : ShellOptions {
  VncAddress desktop;
  std::string password_file;  // empty: it is asked for in a terminal when it is wanted
  bool view_only = false;
};

std::variant<VncOptions, CommandLineAnswer> parse_vnc_options(int count,
                                                              const char* const* arguments);

}  // namespace sail
