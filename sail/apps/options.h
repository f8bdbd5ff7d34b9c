// bplay's command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sail/command_line/command_line.h"
#include "sail/media/picture_spec.h"
#include "sail/program/program_shell.h"
#include "sail/wire/parts.h"

namespace sail {

// Where a film's sound is heard: on the wall where that has loudspeakers, else here; or as it was
// asked for.
enum class SoundWish : uint8_t { kAsCanBe, kWall, kHere, kOff };

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
  SoundWish sound = SoundWish::kAsCanBe;
  std::string sound_from;  // a sound card, instead of the film's own; empty: that
  bool paused = false;
  bool hold = false;
  std::string fallback;                // shown while a live source sends nothing; empty: nothing
  bool best_effort = false;            // of film servers
  std::string group;                   // that its window is a member of; empty: none
  std::optional<int64_t> start_at_ns;  // since 1970; absent: at once
  struct Part {
    int rank = 0;
    int ranks = 1;
  };
  std::optional<Part> part;  // of the film's pictures, a band; others play the others
  AbsentPart absent = AbsentPart::kWait;
};

std::variant<BplayOptions, CommandLineAnswer> parse_bplay_options(int count,
                                                                  const char* const* arguments);

}  // namespace sail
