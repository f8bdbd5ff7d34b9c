// bplay's command line.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sail/base/log.h"
#include "sail/command_line/command_line.h"
#include "sail/media/picture_spec.h"
#include "sail/wire/transport.h"

namespace sail {

struct BplayOptions {
  std::vector<std::string> films;
  std::string manager;  // HOST:PORT; empty: libsail's own choice
  std::string title;    // empty: the film's name
  std::optional<Rect> place;
  std::string codec = "dxt1";
  bool codec_given = false;  // or else films of JPEG 2000 go as they are stored
  std::optional<double> fps;
  std::optional<RawFormat> raw;
  double start_s = 0;
  double rate = 1;
  double still_s = 5;  // of a still within a list
  uint64_t frames = 0;
  int threads = 0;
  TransportOptions transport{};
  bool loop = false;
  double volume = 1;  // 0 to 1
  bool no_sound = false;
  bool paused = false;
  bool hold = false;
  LogLevel log_level = LogLevel::kInfo;
};

std::variant<BplayOptions, CommandLineAnswer> parse_bplay_options(int count,
                                                                  const char* const* arguments);

}  // namespace sail
