#include "sail/apps/program/wall_window.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/source/source_color.h"

namespace sail {
namespace {

sail_rect to_c(const Rect& rect) {
  return {rect.x, rect.y, rect.width, rect.height};
}

Size shape_of(const Opening& opening) {
  if (opening.display_size != Size{}) return opening.display_size;
  return opening.part ? opening.part->frame_size : opening.size;
}

Size square_size(Size pixels, Size display_size) {
  return display_size == Size{} ? pixels : display_size;
}

bool is_describable(const std::vector<std::string>& media) {
  size_t bytes = 0;
  for (const std::string& one : media) bytes += one.size();
  return !media.empty() && media.size() <= kMaxContentMedia && bytes <= kMaxContentBytes;
}

// The result refers to memory of the opening.
sail_stream_options options_of(const Opening& opening) {
  sail_stream_options options{};
  options.title = opening.title.c_str();
  options.width = opening.size.width;
  options.height = opening.size.height;
  options.codec = opening.codec.c_str();
  options.codec_reason = opening.codec_reason.c_str();
  options.place = to_c(opening.place.value_or(Rect{}));
  options.wait_when_full = opening.wait_when_full ? 1 : 0;
  options.encoded = opening.block_size == Size{} ? 0 : 1;
  options.block_width = opening.block_size.width;
  options.block_height = opening.block_size.height;
  options.max_reduction = opening.max_reduction;
  options.fps = opening.fps;
  options.replaces = opening.replaces;
  const TransportOptions& way = opening.transport;
  options.transport = way.transport ? transport_name(*way.transport) : nullptr;
  options.delay_ms = way.delay_ms == 0 ? SAIL_NO_DELAY : way.delay_ms.value_or(0);
  options.mtu = way.mtu.value_or(0);
  options.takes_input = opening.takes_input ? 1 : 0;
  if (!opening.group.empty()) options.group = opening.group.c_str();
  return options;
}

}  // namespace

Opening opening_for(const Picture& picture, const std::string& codec) {
  Opening opening{.title = {}, .codec = codec, .size = picture.size};
  opening.display_size = picture.display_size;
  if (picture.duration_ns > 0) {
    opening.fps = std::min(1e9 / static_cast<double>(picture.duration_ns), kMaxFps);
  }
  if (!picture.compressed) return opening;
  opening.codec = codec_name(picture.compressed->codec);
  opening.block_size = picture.compressed->block_size;
  opening.max_reduction = picture.compressed->max_reduction;
  return opening;
}

// --- the session ---------------------------------------------------------------------------------

WallSession::WallSession(std::string program, std::string manager, int threads, Say say)
    : program_(std::move(program)),
      manager_(std::move(manager)),
      threads_(threads),
      say_(std::move(say)) {}

Result<void> WallSession::open() {
  if (session_) return {};
  sail_session_options options{};
  options.name = program_.c_str();
  options.manager = manager_.empty() ? nullptr : manager_.c_str();
  options.encode_threads = threads_;
  options.quiet = 1;  // important messages arrive as events
  std::string error;
  Session session(options, &error);
  if (!session) return fail(ErrorCode::kUnavailable, error);
  session_ = std::move(session);
  return {};
}

codecs::DisplayColor WallSession::display() const {
  return session_ ? display_color(session_->display_colors()) : codecs::DisplayColor();
}

Result<Stream> WallSession::open_stream(const Opening& opening) {
  if (auto opened = open(); !opened) return opened.error();
  sail_stream_options options = options_of(opening);
  std::vector<const char*> media;
  for (const std::string& one : opening.content.media) media.push_back(one.c_str());
  const sail_content content{media.data(), media.size(), opening.content.program.c_str(),
                             opening.content.loop ? 1 : 0};
  if (is_describable(opening.content.media)) options.content = &content;
  const Timeline of_group = opening.timeline.value_or(Timeline{});
  const sail_timeline timeline{of_group.position_s, of_group.at_ns, of_group.rate,
                               of_group.paused ? 1 : 0};
  if (opening.timeline) options.timeline = &timeline;
  std::string error;
  Stream stream =
      opening.part ? join(options, *opening.part, error) : session_->open(options, &error);
  if (!stream) return fail(ErrorCode::kUnavailable, "cannot open a window: " + error);
  if (opening.part) return stream;

  // The manager has assumed square pixels. Open the window again with the display shape.
  const Size shape = shape_of(opening);
  if (shape == opening.size || options.replaces != nullptr) return stream;
  options.place = {0, 0, shape.width, shape.height};
  options.replaces = stream.get();
  Stream fitting = session_->open(options);
  return fitting ? std::move(fitting) : std::move(stream);
}

Stream WallSession::join(sail_stream_options options, const JoinParts& part, std::string& error) {
  options.width = part.frame_size.width;
  options.height = part.frame_size.height;
  const sail_part of_rank{.name = part.name.c_str(),
                          .rank = part.rank,
                          .ranks = part.ranks,
                          .region = to_c(part.region),
                          .absent = kAbsentParts.word(part.absent)};
  return session_->join(options, of_rank, &error);
}

std::optional<sail_event> WallSession::poll(int timeout_ms) {
  auto event = session_ ? session_->poll(timeout_ms) : std::nullopt;
  if (!event) return event;
  const std::string at = manager_.empty() ? "" : " at " + manager_;
  if (event->type == SAIL_EVENT_DISCONNECTED) {
    connected_ = false;
    say_(LogLevel::kWarning, "lost the manager" + at + "; reconnecting");
  }
  if (event->type == SAIL_EVENT_CONNECTED) {
    connected_ = true;
    say_(LogLevel::kInfo, "reconnected to the manager" + at);
  }
  if (event->type == SAIL_EVENT_RECEIVER) {
    say_(event->receiver.reachable != 0 ? LogLevel::kInfo : LogLevel::kWarning,
         fmt::format("receiver '{}' {}", event->receiver.name, event->receiver.text));
  }
  return event;
}

// --- the window ----------------------------------------------------------------------------------

Result<void> WallWindow::open(const Opening& opening) {
  const Opening here = placed(opening);
  auto stream = session_.open_stream(here);
  if (!stream) return stream.error();
  take(here, std::move(*stream));
  return {};
}

Opening WallWindow::placed(Opening opening) const {
  opening.replaces = stream_.get();
  if (opening.replaces != nullptr) {
    // The manager fits this into the window's place; only the aspect ratio matters.
    const Size shape = opening.keep_shape ? shape_of(opening) : picture_size();
    opening.place = {0, 0, shape.width, shape.height};
    if (shape == opening.size) opening.place.reset();
  } else if (opening.place && opening.place->empty()) {
    opening.place->width = shape_of(opening).width;
    opening.place->height = shape_of(opening).height;
  }
  return opening;
}

void WallWindow::take(const Opening& opening, Stream stream) {
  stream_ = std::move(stream);
  size_ = opening.size;
  display_size_ = square_size(opening.size, opening.display_size);
  codec_ = opening.codec;
  block_size_ = opening.block_size;
}

bool WallWindow::fits(const Picture& picture, const std::string& codec) const {
  if (!stream_ || picture.size != size_) return false;
  if (square_size(picture.size, picture.display_size) != display_size_) return false;
  if (!picture.compressed) return block_size_ == Size{} && codec_ == codec;
  return picture.compressed->block_size == block_size_ &&
         codec_name(picture.compressed->codec) == codec_;
}

sail_status WallWindow::submit(const Picture& picture) {
  if (!picture.compressed) {
    sail_frame pixels = picture.pixels;
    pixels.release = nullptr;  // the picture releases its pixels itself
    pixels.present_ns = present_ns_;
    return stream_.submit(pixels);
  }
  const CompressedPicture& blocks = *picture.compressed;
  const sail_encoded_frame frame{blocks.bytes.data(),
                                 blocks.bytes.size(),
                                 blocks.lengths.data(),
                                 blocks.lengths.size(),
                                 static_cast<sail_color_matrix>(blocks.color.matrix),
                                 static_cast<sail_color_range>(blocks.color.range),
                                 present_ns_,
                                 0};
  return stream_.submit(frame);
}

bool WallWindow::pass_on(const Picture& picture) {
  if (!fits(picture, codec_)) return false;
  static_cast<void>(submit(picture));
  return true;
}

sail_status WallWindow::submit(const uint8_t* bgra, ptrdiff_t stride) {
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = bgra;
  frame.strides[0] = stride;
  return stream_.submit(frame);
}

sail_status WallWindow::submit(sail_audio audio) {
  if (!stream_) return SAIL_INVALID;
  audio.at_ns = std::max<int64_t>(wall_now_ns() + audio.at_ns - steady_now_ns(), 0);
  return stream_.submit(audio);
}

void WallWindow::skip(uint64_t frames) {
  if (stream_) stream_.skip(frames);
}

void WallWindow::tell(const sail_playback& playback) {
  if (stream_) stream_.set_playback(playback);
}

void WallWindow::tell(const FilmTracks& tracks) {
  if (!stream_) return;
  std::vector<sail_subtitle_track> subtitles;
  for (const SubtitleTrackFacts& track : tracks.subtitles) {
    subtitles.push_back({.language = track.language.c_str(),
                         .title = track.title.c_str(),
                         .format = track.format.c_str(),
                         .file = track.file.c_str(),
                         .pictures = track.pictures ? 1 : 0,
                         .forced = track.forced ? 1 : 0});
  }
  std::vector<sail_sound_track> sounds;
  for (const SoundTrackFacts& track : tracks.sounds) {
    sounds.push_back({.language = track.language.c_str(),
                      .title = track.title.c_str(),
                      .format = track.format.c_str(),
                      .layout = track.layout.c_str(),
                      .channels = track.channels});
  }
  stream_.set_tracks({.subtitles = subtitles.data(),
                      .subtitle_count = subtitles.size(),
                      .sounds = sounds.data(),
                      .sound_count = sounds.size(),
                      .subtitle = tracks.subtitle.value_or(SAIL_OTHER_SUBTITLES),
                      .sound = tracks.sound});
}

std::optional<sail_event> WallWindow::poll(int timeout_ms) {
  while (const auto event = session_.poll(timeout_ms)) {
    if (concerns(*event)) return event;
  }
  return std::nullopt;
}

bool WallWindow::settled(Size wanted, int64_t rest_ns) {
  const int64_t now_ns = steady_now_ns();
  if (wanted != wanted_) {
    wanted_ = wanted;
    wanted_since_ns_ = now_ns;
  }
  return wanted != size_ && now_ns - wanted_since_ns_ >= rest_ns && session_.connected();
}

Size WallWindow::picture_size() const {
  Size size;
  if (stream_) sail_stream_picture(stream_.get(), &size.width, &size.height);
  return size;
}

}  // namespace sail
