// The subtitle and sound tracks of a film, and which of them are shown and heard. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/text/json_fields.h"
#include "sail/core/wire/content.h"

namespace sail {

// Texts of tracks are cut to this many bytes.
constexpr size_t kMaxTrackTitle = kMaxNameLength;
constexpr size_t kMaxTrackWord = 32;  // languages, formats, layouts
constexpr int kMaxTrackChannels = 1024;

struct SubtitleTrackFacts {
  std::string language;  // as the film names it: "eng", "en"; empty: unknown
  std::string format;    // FFmpeg's name: "subrip"
  bool forced = false;   // translates only what is not in the film's language
  std::string file{};    // the file beside the film that holds the track; empty: the film itself
  std::string title{};
  bool pictures = false;  // stored as pictures, not as text

  bool operator==(const SubtitleTrackFacts&) const = default;
};
void fields(auto& visit, Of<SubtitleTrackFacts> auto& track) {
  visit("language", sparse(Text{kMaxTrackWord}), track.language);
  visit("title", sparse(Text{kMaxTrackTitle}), track.title);
  visit("format", Text{kMaxTrackWord}, track.format);
  visit("pictures", sparse(Flag()), track.pictures);
  visit("forced", sparse(Flag()), track.forced);
  visit("file", sparse(Text{kMaxTrackTitle}), track.file);
}

struct SoundTrackFacts {
  std::string language;  // as the film names it; empty: unknown
  std::string title;
  std::string format;  // FFmpeg's name: "aac"
  int channels = 0;    // 0: unknown
  std::string layout;  // layout of the channels: "5.1"; empty: unknown

  bool operator==(const SoundTrackFacts&) const = default;
};
void fields(auto& visit, Of<SoundTrackFacts> auto& track) {
  visit("language", sparse(Text{kMaxTrackWord}), track.language);
  visit("title", sparse(Text{kMaxTrackTitle}), track.title);
  visit("format", Text{kMaxTrackWord}, track.format);
  visit("channels", sparse(Whole{1, kMaxTrackChannels}), track.channels);
  visit("layout", sparse(Text{kMaxTrackWord}), track.layout);
}

// Numbers of tracks are those of the lists, from 1.
constexpr int kForcedSubtitleTrack = -1;  // the forced track in the language of the sound
constexpr int kNoSubtitleTrack = 0;

struct FilmTracks {
  std::vector<SubtitleTrackFacts> subtitles{};
  std::vector<SoundTrackFacts> sounds{};
  // The chosen track, or one of the constants above. Empty: a file that is not listed.
  std::optional<int> subtitle{};
  int sound = kUsualSoundTrack;  // the one that is heard, or kAllSoundTracks

  bool operator==(const FilmTracks&) const = default;
};
void fields(auto& visit, Of<FilmTracks> auto& tracks) {
  visit("subtitles", sparse(objects(kMaxSubtitleTrack)), tracks.subtitles);
  visit("sounds", sparse(objects(kMostSoundTracks)), tracks.sounds);
  visit("subtitle", Whole{kForcedSubtitleTrack, kMaxSubtitleTrack}, tracks.subtitle);
  visit("sound", Whole{kAllSoundTracks, kMostSoundTracks}, tracks.sound);
}

}  // namespace sail
