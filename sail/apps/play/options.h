// Command line of bplay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sail/apps/program/program_shell.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/wall/parts.h"
#include "sail/core/wire/content.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/subtitles/subtitle_choice.h"

namespace sail {

// Where a video's sound is played. kAsCanBe: on the wall if it has loudspeakers, else here.
enum class SoundWish : uint8_t { kAsCanBe, kWall, kHere, kOff };

struct BplayOptions : ShellOptions {
  std::vector<std::string> films;
  bool codec_given = false;  // false: JPEG 2000 videos are sent as stored
  std::optional<double> fps;
  std::optional<RawFormat> raw;
  Deinterlacing deinterlacing = Deinterlacing::kAuto;
  MissingAction missing = MissingAction::kHold;
  double start_s = 0;
  double rate = 1;
  double still_s = 5;  // display time of a still in a list
  uint64_t frames = 0;
  bool loop = false;
  double volume = 1;  // 0 to 1
  SoundWish sound = SoundWish::kAsCanBe;
  std::optional<int> sound_track;  // see parse_sound_track(); empty: the usual one
  std::string sound_from;          // ALSA device instead of the video's own sound; empty: none
  std::optional<SubtitleChoice> subtitles;  // empty: forced subtitles
  bool paused = false;
  bool hold = false;
  std::string fallback;                // shown while a live source sends nothing; empty: none
  bool best_effort = false;            // passed to film servers
  std::string group;                   // the window's group; empty: none
  std::optional<int64_t> start_at_ns;  // since 1970; empty: at once
  struct Part {
    int rank = 0;
    int ranks = 1;
  };
  std::optional<Part> part;  // plays only one band of the pictures; other players play the others
  AbsentPart absent = AbsentPart::kWait;
};

std::variant<BplayOptions, CommandLineAnswer> parse_bplay_options(int count,
                                                                  const char* const* arguments);

}  // namespace sail
