#include "sail/media/ffmpeg/media_source_tracks.h"

#include <algorithm>

#include "sail/core/text/text.h"
#include "sail/media/ffmpeg/media_source_display.h"
#include "sail/media/source/source_color.h"

namespace sail {
namespace {

ListedTrack listed_track(const AVStream& stream, TrackKind kind, int number) {
  const AVCodecParameters& codec = *stream.codecpar;
  const bool sound = kind == TrackKind::kSound;
  return {.kind = kind,
          .number = number,
          .format = make_plain_text(avcodec_get_name(codec.codec_id), kMaxTrackWord),
          .language = track_tag(stream, "language", kMaxTrackWord),
          .title = track_tag(stream, "title", kMaxTrackTitle),
          .channels = sound ? std::clamp(codec.ch_layout.nb_channels, 0, kMaxTrackChannels) : 0,
          .by_default = (stream.disposition & AV_DISPOSITION_DEFAULT) != 0,
          .forced = (stream.disposition & AV_DISPOSITION_FORCED) != 0};
}

void add_tracks(const AVFormatContext& format, AVMediaType type, TrackKind kind,
                FilmDescription& film) {
  int number = 0;
  for (unsigned i = 0; i < format.nb_streams && film.tracks.size() < kMostListedTracks; ++i) {
    const AVStream& stream = *format.streams[i];
    if (stream.codecpar->codec_type != type) continue;
    film.tracks.push_back(listed_track(stream, kind, ++number));
  }
}

}  // namespace

std::string track_tag(const AVStream& stream, const char* name, size_t most_bytes) {
  const AVDictionaryEntry* entry = av_dict_get(stream.metadata, name, nullptr, 0);
  return entry == nullptr ? "" : make_plain_text(entry->value, most_bytes);
}

FilmDescription describe_film(const AVFormatContext& format, const AVCodecParameters& picture) {
  FilmDescription film;
  if (has_wide_color(picture)) {
    film.colors = color_name(*source_color(picture.color_primaries, picture.color_trc));
  }
  film.interlaced = picture.field_order > AV_FIELD_PROGRESSIVE;
  add_tracks(format, AVMEDIA_TYPE_AUDIO, TrackKind::kSound, film);
  add_tracks(format, AVMEDIA_TYPE_SUBTITLE, TrackKind::kSubtitles, film);
  return film;
}

}  // namespace sail
