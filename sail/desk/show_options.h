// vitrail-show's command line.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sail/program/program_shell.h"

namespace sail {

struct ShowOptions : ShellOptions {
  std::vector<std::string> files;
  int page = 1;        // the first to be shown, from 1
  double every_s = 0;  // turn the page by itself; 0: never
  bool loop = false;   // after the last page comes the first
};

std::variant<ShowOptions, CommandLineAnswer> parse_show_options(int count,
                                                                const char* const* arguments);

}  // namespace sail
