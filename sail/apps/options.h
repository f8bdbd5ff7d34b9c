// bplay's command line.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sail/command_line/command_line.h"
#include "sail/media/picture_spec.h"
#include "sail/program/program_shell.h"

namespace sail {

struct BplayOptions : ShellOptions {
  std::vector<std::string> films;
  bool codec_given = false;  // or else films of JPEG 2000 go as they are stored
  std::optional<double> fps;
  std::optional<RawFormat> raw;
  double start_s = 0;
  double rate = 1;
  double still_s = 5;  // of a still within a list
  uint64_t frames = 0;
  bool loop = false;
  double volume = 1;  // 0 to 1
  bool no_sound = false;
  bool paused = false;
  bool hold = false;
};

std::variant<BplayOptions, CommandLineAnswer> parse_bplay_options(int count,
                                                                  const char* const* arguments);

}  // namespace sail
