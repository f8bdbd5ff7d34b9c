// Text subtitles from files: whatever the bytes are, the subtitles are bounded.
#include "sail/media/subtitles/subtitle_file.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(subtitle_file) {
  const auto file = sail::parse_subtitle_file("film.srt", {data, data + size});
  if (!file) return 0;
  fuzz::require(file->cues.size() <= sail::kMaxSubtitles, "subtitles are counted");
  for (const sail::SubtitleCue& cue : file->cues) {
    for (const std::string& event : cue.events) {
      fuzz::require(event.size() <= sail::SubtitleDecoder::kMaxEvent, "an event is limited");
    }
  }
  return 0;
}
