// Command line of vitrail-show.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sail/apps/program/program_shell.h"

namespace sail {

struct ShowOptions : ShellOptions {
  std::vector<std::string> files;
  int page = 1;        // first page to show, from 1
  double every_s = 0;  // turn pages automatically; 0: never
  bool loop = false;   // show the first page after the last
};

std::variant<ShowOptions, CommandLineAnswer> parse_show_options(int count,
                                                                const char* const* arguments);

}  // namespace sail
