// Which of a film's subtitle tracks is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/core/wire/film_tracks.h"

namespace sail {

struct SubtitleChoice {
  enum class Kind : uint8_t {
    kOff,
    kAuto,   // the forced track in the language of the sound, else none
    kTrack,  // a number of the list: the film's tracks, then the files beside it
    kFile
  } kind = Kind::kOff;
  size_t track = 0;    // from 1
  std::string file{};  // name of a text file

  // A person asked for a track, so its absence is a fault.
  bool is_explicit() const { return kind == Kind::kTrack || kind == Kind::kFile; }
  bool operator==(const SubtitleChoice&) const = default;
};

constexpr size_t kMaxSubtitleTracks = kMaxSubtitleTrack / 2;  // in the film, and beside it
inline const SubtitleChoice kForcedSubtitles{.kind = SubtitleChoice::Kind::kAuto};

// A number of FilmTracks::subtitle, and the number for a choice; empty: a file.
SubtitleChoice subtitle_choice(int track);
std::optional<int> subtitle_number(const SubtitleChoice& choice);

// "auto", "off", "2" or a file name. Empty: not one of these.
std::optional<SubtitleChoice> parse_subtitle_choice(const std::string& text);

// Text files beside a local film, by name: FILM.srt, FILM.en.ass, FILM.de.forced.vtt. `file` is
// their whole path.
std::vector<SubtitleTrackFacts> subtitle_files_beside(const std::string& film);

// "1: eng, subrip; 2: ger, hdmv_pgs_subtitle, forced; 3: film.en.srt".
std::string list_subtitles(std::span<const SubtitleTrackFacts> tracks);

// The place of the forced track for sound in this language (empty: unknown).
std::optional<size_t> find_forced_track(std::span<const SubtitleTrackFacts> tracks,
                                        std::string_view sound_language);

}  // namespace sail
