#include "sail/media/subtitles/film_subtitles.h"

extern "C" {
#include <libavcodec/codec_desc.h>
#include <libavformat/avformat.h>
}
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "sail/core/text/text.h"
#include "sail/media/subtitles/subtitle_file.h"
#include "sail/media/subtitles/subtitle_markup.h"

namespace sail {
namespace {

constexpr int64_t kMillisecondInNs = 1'000'000;
constexpr size_t kMostComplaints = 16;
constexpr int64_t kMostFilmPixels = int64_t{8192} * 4320;

std::string tag(const AVStream& stream, const char* name, size_t most_bytes) {
  const AVDictionaryEntry* entry = av_dict_get(stream.metadata, name, nullptr, 0);
  return entry == nullptr ? "" : make_plain_text(entry->value, most_bytes);
}

std::string language_tag(const AVStream& stream) {
  return tag(stream, "language", kMaxTrackWord);
}

bool is_pictures(const AVStream& stream) {
  const AVCodecDescriptor* codec = avcodec_descriptor_get(stream.codecpar->codec_id);
  return codec != nullptr && (codec->props & AV_CODEC_PROP_BITMAP_SUB) != 0;
}

bool is_subtitle(const AVStream& stream) {
  return stream.codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE;
}

int64_t rounded_ms(int64_t ns) {
  return (ns + kMillisecondInNs / 2) / kMillisecondInNs;
}

// Decoders number the events of a track as they come, so the number in front does not count.
size_t hash_of(const SubtitleCue& cue, std::string_view event) {
  event.remove_prefix(std::min(event.size(), event.find(',')));
  const std::hash<int64_t> hash_time;
  return std::hash<std::string_view>()(event) ^ hash_time(cue.start_ns) * 31 ^
         hash_time(cue.end_ns) * 17;
}

size_t picture_bytes_of(const SubtitleCue& cue) {
  size_t bytes = sizeof(SubtitleCue);
  for (const SubtitlePicture& picture : cue.pictures) {
    bytes += sizeof(SubtitlePicture) + picture.indices.size();
  }
  return bytes;
}

}  // namespace

FilmSubtitles::FilmSubtitles(std::string film, Beside beside, GiveUp give_up)
    : film_(std::move(film)), beside_(beside), give_up_(std::move(give_up)) {}

void FilmSubtitles::open(AVFormatContext& format) {
  close();
  format_ = &format;
  for (unsigned i = 0; i < format.nb_streams && tracks_.size() < kMaxSubtitleTracks; ++i) {
    const AVStream& stream = *format.streams[i];
    if (!is_subtitle(stream)) continue;
    tracks_.push_back({.language = language_tag(stream),
                       .format = avcodec_get_name(stream.codecpar->codec_id),
                       .forced = (stream.disposition & AV_DISPOSITION_FORCED) != 0,
                       .title = tag(stream, "title", kMaxTrackTitle),
                       .pictures = is_pictures(stream)});
    streams_.push_back(static_cast<int>(i));
  }
  if (std::ranges::find(streams_, stream_) == streams_.end()) {
    stream_ = -1;
    decoder_.reset();
  }
  select_stream();
  jump();
}

void FilmSubtitles::close() {
  format_ = nullptr;
  tracks_.clear();
  streams_.clear();
}

void FilmSubtitles::select_stream() {
  for (const int stream : streams_) {
    format_->streams[stream]->discard = stream == stream_ ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

void FilmSubtitles::forget() {
  stream_ = -1;
  decoder_.reset();
  header_.clear();
  renderer_.reset();
  added_.clear();
  bytes_ = 0;
  pictures_.clear();
  drawn_.reset();
  blender_.set({});
  complained_ = false;
}

std::vector<SubtitleTrackFacts> FilmSubtitles::tracks() const {
  std::vector<SubtitleTrackFacts> all = tracks_;
  if (beside_ == Beside::kIgnore) return all;
  const auto files = subtitle_files_beside(film_);
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

Result<void> FilmSubtitles::choose(const SubtitleChoice& choice) {
  forget();
  select_stream();
  if (choice.kind == SubtitleChoice::Kind::kOff) return {};
  if (choice.kind == SubtitleChoice::Kind::kFile) return show_file(choice.file);
  const std::vector<SubtitleTrackFacts> all = tracks();
  size_t track = choice.track - 1;
  if (choice.kind == SubtitleChoice::Kind::kAuto) {
    const auto forced = find_forced_track(all, sound_language());
    if (!forced) return {};
    track = *forced;
  }
  if (track >= all.size()) {
    return fail(ErrorCode::kNotFound,
                all.empty()
                    ? fmt::format("{} has no subtitles", without_passwords(film_))
                    : fmt::format("{} has no subtitle track {}; it has {}",
                                  without_passwords(film_), choice.track, list_subtitles(all)));
  }
  return track < tracks_.size() ? show_track(track) : show_file(all[track].file);
}

std::string FilmSubtitles::sound_language() const {
  if (format_ == nullptr) return "";
  const int best = av_find_best_stream(format_, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
  return best < 0 ? "" : language_tag(*format_->streams[best]);
}

Result<void> FilmSubtitles::show_track(size_t number) {
  const AVStream& stream = *format_->streams[streams_[number]];
  auto decoder = SubtitleDecoder::open(*stream.codecpar, stream.time_base);
  if (!decoder) {
    return fail(decoder.error().code,
                fmt::format("{}: {}", without_passwords(film_), decoder.error().message));
  }
  decoder_ = std::move(*decoder);
  header_ = decoder_->header();
  stream_ = streams_[number];
  select_stream();
  return {};
}

Result<void> FilmSubtitles::show_file(const std::string& name) {
  auto file = read_subtitle_file(name, give_up_);
  if (!file) return std::move(file.error());
  for (std::string& sentence : file->complaints) complaints_.push_back(std::move(sentence));
  header_ = std::move(file->header);
  for (const SubtitleCue& cue : file->cues) add_text(cue);
  return {};
}

bool FilmSubtitles::take(const AVPacket& packet, int64_t origin_ns) {
  if (packet.stream_index != stream_ || decoder_ == nullptr) return false;
  if (packet.pts == AV_NOPTS_VALUE) return true;
  const AVRational nanoseconds{1, 1'000'000'000};
  const int64_t stamp_ns =
      av_rescale_q(packet.pts, format_->streams[stream_]->time_base, nanoseconds);
  auto cue = decoder_->decode(packet, av_sat_sub64(stamp_ns, origin_ns));
  if (cue) {
    add(std::move(*cue));
  } else {
    complain_once(
        fmt::format("{}: {}; it is left out", without_passwords(film_), cue.error().message));
  }
  return true;
}

void FilmSubtitles::jump() {
  if (!decoder_) return;
  decoder_->jump();
  if (!decoder_->has_pictures()) return;
  pictures_.clear();
  bytes_ = 0;
  drawn_.reset();
  blender_.set({});
}

void FilmSubtitles::add(SubtitleCue cue) {
  if (!decoder_->has_pictures()) return add_text(cue);
  if (cue.start_ns == cue.end_ns) return;  // a part of a subtitle
  bytes_ += picture_bytes_of(cue);
  const auto after = std::ranges::upper_bound(pictures_, cue.start_ns, {}, &SubtitleCue::start_ns);
  pictures_.insert(after, std::move(cue));
  while (bytes_ > kMaxSubtitleBytes && pictures_.size() > 1) {
    bytes_ -= picture_bytes_of(pictures_.front());
    pictures_.pop_front();
  }
}

void FilmSubtitles::add_text(const SubtitleCue& cue) {
  for (const std::string& event : cue.events) {
    if (!added_.insert(hash_of(cue, event)).second) continue;
    if (!renderer_) {
      auto renderer = SubtitleRenderer::open(header_);
      if (!renderer) return complain_once(renderer.error().message);
      renderer_ = std::move(*renderer);
    }
    // The film lasts weeks, or is hostile: begin again.
    if (bytes_ + event.size() > kMaxSubtitleBytes || added_.size() > kMaxSubtitles) {
      renderer_->remove_all();
      added_.clear();
      bytes_ = 0;
    }
    bytes_ += event.size();
    const int64_t start_ms = rounded_ms(cue.start_ns);
    if (renderer_->add(event, start_ms, rounded_ms(cue.end_ns) - start_ms)) continue;
    complain_once(
        fmt::format("{}: the markup of a subtitle exceeds the limits of size, length or number of "
                    "tags; such subtitles are shown as plain text of at most {} letters",
                    without_passwords(film_), kMostPlainCharacters));
  }
}

bool FilmSubtitles::prepare(const SubtitleRenderer::View& view, int64_t at_ns) {
  if (!renderer_ && pictures_.empty()) return false;
  if (int64_t{view.picture.width} * view.picture.height > kMostFilmPixels) {
    complain_once(fmt::format("{}: subtitles are not drawn in pictures of more than 8192x4320",
                              without_passwords(film_)));
    return false;
  }
  if (renderer_) {
    prepare_text(view, at_ns);
  } else {
    prepare_picture(view.picture, at_ns);
  }
  return !blender_.empty();
}

void FilmSubtitles::prepare_text(const SubtitleRenderer::View& view, int64_t at_ns) {
  auto patches = renderer_->render(view, rounded_ms(at_ns));
  if (!patches) {
    complain_once(fmt::format("{}: {}; they are left out", without_passwords(film_),
                              patches.error().message));
    return blender_.set({});
  }
  const std::string missing = renderer_->take_missing_font();
  if (!missing.empty() && complaints_.size() < kMostComplaints) {
    complaints_.push_back(fmt::format("{}: {}", without_passwords(film_), missing));
  }
  if (*patches) blender_.set(std::move(**patches));
}

void FilmSubtitles::prepare_picture(Size picture, int64_t at_ns) {
  const auto after = std::ranges::upper_bound(pictures_, at_ns, {}, &SubtitleCue::start_ns);
  if (after == pictures_.begin() || std::prev(after)->end_ns <= at_ns) {
    drawn_.reset();
    return blender_.set({});
  }
  const SubtitleCue& cue = *std::prev(after);
  const std::pair wanted(cue.start_ns, picture);
  if (drawn_ == wanted) return;
  drawn_ = wanted;
  blender_.set(draw_subtitle_pictures(cue, picture));
}

void FilmSubtitles::complain_once(const std::string& sentence) {
  if (std::exchange(complained_, true) || complaints_.size() >= kMostComplaints) return;
  complaints_.push_back(sentence);
}

std::optional<std::string> FilmSubtitles::take_complaint() {
  if (complaints_.empty()) return std::nullopt;
  std::string sentence = std::move(complaints_.front());
  complaints_.pop_front();
  return sentence;
}

}  // namespace sail
