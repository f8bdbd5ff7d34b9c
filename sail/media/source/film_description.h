// What lists of films tell about a film's colours, fields and tracks. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/text/json_fields.h"
#include "sail/core/wire/film_tracks.h"

namespace sail {

enum class TrackKind : uint8_t { kSound, kSubtitles };
constexpr Choice<TrackKind, 2> kTrackKinds{
    {{TrackKind::kSound, "sound"}, {TrackKind::kSubtitles, "subtitles"}}};

struct ListedTrack {
  TrackKind kind = TrackKind::kSound;
  int number = 1;      // among the film's tracks of that kind, in the order of FilmTracks
  std::string format;  // FFmpeg's name: "aac"
  std::string language{};
  std::string title{};
  int channels = 0;         // sound channels; 0: unknown
  bool by_default = false;  // the film asks to play it without a choice
  bool forced = false;

  bool operator==(const ListedTrack&) const = default;
};
constexpr size_t kMostListedTracks = 64;
void fields(auto& visit, Of<ListedTrack> auto& track) {
  visit("kind", kTrackKinds, track.kind);
  visit("number", Whole{1, kMostListedTracks}, track.number);
  visit("format", Text{kMaxTrackWord}, track.format);
  visit("language", sparse(Text{kMaxTrackWord}), track.language);
  visit("title", sparse(Text{kMaxTrackTitle}), track.title);
  visit("channels", sparse(Whole{1, kMaxTrackChannels}), track.channels);
  visit("default", sparse(Flag()), track.by_default);
  visit("forced", sparse(Flag()), track.forced);
}

struct FilmDescription {
  std::string colors{};  // "HDR10", "HLG", "BT.2020", "P3"; empty: an SDR display's, or unknown
  bool interlaced = false;
  std::string remark{};               // a known fault: "3 of 72 pictures are missing or empty"
  std::vector<ListedTrack> tracks{};  // without files beside the film

  bool operator==(const FilmDescription&) const = default;
};
void fields(auto& visit, Of<FilmDescription> auto& film) {
  visit("colors", sparse(Text{kMaxTrackWord}), film.colors);
  visit("interlaced", sparse(Flag()), film.interlaced);
  visit("remark", sparse(Text{kMaxTitleLength}), film.remark);
  visit("tracks", sparse(objects(kMostListedTracks)), film.tracks);
}

}  // namespace sail
