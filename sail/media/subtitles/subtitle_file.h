// Reads text subtitles from files beside a film: SubRip, ASS, WebVTT and other formats that FFmpeg
// reads as text. The file is untrusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/subtitles/subtitle_decoder.h"

namespace sail {

struct SubtitleFile {
  std::string header;  // for SubtitleRenderer
  std::vector<SubtitleCue> cues;
  std::vector<std::string> complaints;  // sentences about assumptions and omissions
};

// Limit for a subtitle file, and for the text that is kept of a track.
constexpr size_t kMaxSubtitleBytes = 16 << 20;
constexpr size_t kMaxSubtitles = 50'000;

// Opens a file name or a URL of open_bytes(). Errors begin with the name.
Result<SubtitleFile> read_subtitle_file(const std::string& name, const GiveUp& give_up);
// The same for a file's bytes. `name` is for errors.
Result<SubtitleFile> parse_subtitle_file(const std::string& name, std::vector<uint8_t> bytes);

}  // namespace sail
