#include "sail/client/session/options.h"

#include <errno.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/packets.h"

namespace sail {
namespace {

constexpr int kMaxEncodeThreads = 64;
constexpr double kMaxFps = 1000;

Error refuse(std::string sentence) {
  return fail(ErrorCode::kInvalidParams, std::move(sentence));
}

bool within(int value, int min, int max) {
  return value >= min && value <= max;
}

// Reads block size and resolutions of frames that the application encodes itself.
Result<void> shape_of_encoded(const sail_stream_options& given, StreamSpec& spec) {
  if (!spec.encoded) return {};
  const bool scalable = codecs::is_j2k(spec.codec.codec.id);
  spec.max_reduction = given.max_reduction;
  if (given.max_reduction < 0 || given.max_reduction > (scalable ? codecs::kMaxReduction : 0)) {
    return refuse(fmt::format("max_reduction is {}: must be 0 to {}", given.max_reduction,
                              scalable ? codecs::kMaxReduction : 0));
  }
  if (given.block_width == 0 && given.block_height == 0) return {};
  const int step = kScalableBlockStep;
  if (!is_block_side(given.block_width) || !is_block_side(given.block_height) ||
      given.block_width % step != 0 || given.block_height % step != 0) {
    return refuse(fmt::format("blocks of {}×{}: sides must be multiples of {}, at most {}",
                              given.block_width, given.block_height, step, kMaxBlockSide));
  }
  spec.block_size = {given.block_width, given.block_height};
  return {};
}

// Reads the codec of the frames. Only encoded frames can be access units.
Result<CodecSpec> read_codec_spec(const sail_stream_options& given) {
  const std::string text = given.codec != nullptr ? given.codec : "dxt1";
  const auto named = parse_codec_name(text);
  if (!named || !codecs::is_carried(named->id) || given.encoded == 0) {
    return parse_codec_spec(text);
  }
  if (given.block_width < given.width || given.block_height < given.height) {
    return refuse(fmt::format("blocks of {}×{}: a frame of {} must be a single block",
                              given.block_width, given.block_height, text));
  }
  return CodecSpec{.codec = *named, .mode = {}, .rate = {}};
}

Result<void> read_place(const sail_stream_options& given, StreamSpec& spec) {
  const sail_rect& place = given.place;
  if (place.width == 0) return {};
  if (!within(place.x, -kMaxWindowOffset, kMaxWindowOffset) ||
      !within(place.y, -kMaxWindowOffset, kMaxWindowOffset) ||
      !within(place.width, 1, kMaxWindowSide) || !within(place.height, 1, kMaxWindowSide)) {
    return refuse(
        fmt::format("place: sides must be 1 to {} pixels, and x and y at most {} pixels from 0",
                    kMaxWindowSide, kMaxWindowOffset));
  }
  spec.place = Rect{place.x, place.y, place.width, place.height};
  return {};
}

// Reads transport, delay and MTU.
Result<void> read_transport(const sail_stream_options& given, StreamSpec& spec) {
  if (given.transport != nullptr) {
    spec.transport = parse_transport(given.transport);
    if (!spec.transport) {
      return refuse(fmt::format("transport is \"{}\": must be \"tcp\" or \"udp\"",
                                make_plain_text(given.transport, kMaxNameLength)));
    }
  }
  if (!within(given.delay_ms, SAIL_NO_DELAY, kMaxDelayMs)) {
    return refuse(
        fmt::format("delay_ms is {}: must be 1 to {}, 0 (the library's choice) or {} (none)",
                    given.delay_ms, kMaxDelayMs, SAIL_NO_DELAY));
  }
  if (given.delay_ms != 0) spec.delay_ms = std::max(given.delay_ms, 0);
  if (given.mtu != 0 && !within(given.mtu, kMinMtu, kMaxMtu)) {
    return refuse(
        fmt::format("mtu is {}: must be {} to {}, or 0 (the wall's)", given.mtu, kMinMtu, kMaxMtu));
  }
  spec.mtu = given.mtu;
  return {};
}

Result<void> read_steps(const sail_stream_options& given, StreamSpec& spec) {
  const std::string step = given.step != nullptr ? given.step : "frame";
  if (step != "frame" && step != "none") {
    return refuse(fmt::format("step is \"{}\": must be \"frame\" or \"none\"",
                              make_plain_text(step, kMaxNameLength)));
  }
  spec.apart = step == "none";
  if (given.group == nullptr || *given.group == '\0') return {};
  if (spec.apart) return refuse("step cannot be \"none\" for a stream of a group");
  spec.group = given.group;
  if (spec.group.size() > kMaxNameLength || !is_plain_text(spec.group)) {
    return refuse(fmt::format(
        "group: the name must have at most {} bytes and no control characters", kMaxNameLength));
  }
  if (given.timeline == nullptr) return {};
  auto timeline =
      message_from_json<Timeline>(to_json(Timeline{.position_s = given.timeline->position_s,
                                                   .at_ns = given.timeline->at_ns,
                                                   .rate = given.timeline->rate,
                                                   .paused = given.timeline->paused != 0}),
                                  "timeline");
  if (!timeline) return std::move(timeline.error());
  spec.timeline = *timeline;
  return {};
}

Result<void> read_content(const sail_stream_options& given, StreamSpec& spec) {
  spec.takes_input = given.takes_input != 0;
  if (given.codec_reason != nullptr) {
    spec.codec_reason = make_plain_text(given.codec_reason, kMaxCodecReason);
  }
  if (given.content == nullptr) return {};
  Json content{{"media", Json::array()},
               {"program", given.content->program != nullptr ? given.content->program : ""},
               {"loop", given.content->loop != 0}};
  for (size_t i = 0; i < given.content->media_count; ++i) {
    const char* medium = given.content->media[i];
    content["media"].push_back(medium != nullptr ? medium : "");
  }
  auto checked = message_from_json<Content>(content, "content");
  if (!checked) return std::move(checked.error());
  spec.content = *std::move(checked);
  return {};
}

}  // namespace

Result<ClientSession::Options> session_options(const sail_session_options& given) {
  ClientSession::Options options;
  options.name = make_plain_text(given.name != nullptr ? given.name : program_invocation_short_name,
                                 kMaxNameLength);
  auto address = manager_address(given.manager != nullptr ? given.manager : "");
  if (!address) return address.error();
  options.manager = *std::move(address);
  if (given.encode_threads < -1 || given.encode_threads > kMaxEncodeThreads) {
    return refuse(fmt::format("encode_threads is {}: must be -1 to {}", given.encode_threads,
                              kMaxEncodeThreads));
  }
  options.encode_threads =
      given.encode_threads == 0 ? WorkerPool::default_threads() : std::max(given.encode_threads, 0);
  if (given.quiet != 0) options.log_level = LogLevel::kOff;
  return options;
}

Result<StreamSpec> stream_spec(const sail_stream_options& given) {
  if (!within(given.width, 1, kMaxFrameSide) || !within(given.height, 1, kMaxFrameSide)) {
    return refuse(fmt::format("a frame of {}×{} pixels: sides must be 1 to {}", given.width,
                              given.height, kMaxFrameSide));
  }
  if (!(given.fps >= 0 && given.fps <= kMaxFps)) {
    return refuse(fmt::format("fps is {}: must be 0 to {}", given.fps, kMaxFps));
  }
  const auto codec = read_codec_spec(given);
  if (!codec) return codec.error();
  StreamSpec spec{
      .title = make_plain_text(given.title != nullptr ? given.title : "", kMaxTitleLength),
      .frame_size = {given.width, given.height},
      .codec = *codec,
      .wait_when_full = given.wait_when_full != 0,
      .encoded = given.encoded != 0,
      .block_size = default_block_size(codec->codec.id),
      .fps = given.fps};
  if (auto read = read_place(given, spec); !read) return read.error();
  if (auto read = shape_of_encoded(given, spec); !read) return read.error();
  if (auto read = read_transport(given, spec); !read) return read.error();
  if (auto read = read_steps(given, spec); !read) return read.error();
  if (auto read = read_content(given, spec); !read) return read.error();
  if (spec.title.empty()) spec.title = program_invocation_short_name;
  return spec;
}

// The decoder of JoinParts does the checks.
Result<StreamSpec> part_spec(const sail_stream_options& given, const sail_part& part) {
  auto spec = stream_spec(given);
  if (!spec) return spec;
  if (codecs::is_carried(spec->codec.codec.id)) {
    return refuse(fmt::format("a rank cannot submit frames of {}, which are never parts",
                              codec_name(spec->codec.codec)));
  }
  if (spec->apart || given.replaces != nullptr) {
    return refuse("a rank cannot use step \"none\" or replace another stream");
  }
  const sail_rect& region = part.region;
  const Json stated{{"name", part.name != nullptr ? part.name : ""},
                    {"rank", part.rank},
                    {"ranks", part.ranks},
                    {"region", {region.x, region.y, region.width, region.height}},
                    {"frame_size", size_json(spec->frame_size)},
                    {"absent", part.absent != nullptr ? part.absent : "wait"}};
  auto checked = message_from_json<JoinParts>(stated, "sail_part");
  if (!checked) return std::move(checked.error());
  spec->part = *std::move(checked);
  spec->frame_size = {region.width, region.height};
  if (spec->numbered()) spec->wait_when_full = true;
  return spec;
}

// The decoder of StreamPlayback does the checks.
Result<Playback> playback(const sail_playback& given) {
  const double numbers[] = {given.position_s, given.duration_s, given.rate, given.volume};
  if (!std::all_of(std::begin(numbers), std::end(numbers),
                   [](double n) { return std::isfinite(n); })) {
    return refuse("playback: all values must be finite numbers");
  }
  const StreamPlayback stated{
      .stream = 1,
      .playback = {.position_s = given.position_s,
                   .at_ns = given.at_ns,
                   .duration_s = given.duration_s,
                   .paused = given.paused != 0 && given.paused != SAIL_AT_END,
                   .rate = given.rate == 0 ? 1 : given.rate,
                   .loop = given.loop != 0,
                   .volume = given.has_sound != 0 ? std::optional(given.volume) : std::nullopt,
                   .live = given.live != 0,
                   .ended = given.paused == SAIL_AT_END,
                   .silent_since_s = given.silent_since_s,
                   .jumped_s = given.jumped_s,
                   .fallback = given.fallback != 0,
                   .page = given.page,
                   .pages = given.pages}};
  const auto checked = message_from_json<StreamPlayback>(to_json(stated));
  if (!checked) return checked.error();
  return checked->playback;
}

// The decoder of FilmTracks does the checks.
Result<FilmTracks> film_tracks(const sail_tracks& given) {
  constexpr size_t kMostSubtitles = kMaxSubtitleTrack;
  constexpr size_t kMostSounds = kMostSoundTracks;
  if (given.subtitle_count > kMostSubtitles || given.sound_count > kMostSounds) {
    return refuse(fmt::format("tracks: at most {} of subtitles and {} of sound", kMostSubtitles,
                              kMostSounds));
  }
  const auto text = [](const char* from, size_t most) {
    return make_plain_text(from != nullptr ? from : "", most);
  };
  FilmTracks tracks{.sound = given.sound};
  for (const sail_subtitle_track& track : std::span(given.subtitles, given.subtitle_count)) {
    tracks.subtitles.push_back({.language = text(track.language, kMaxTrackWord),
                                .format = text(track.format, kMaxTrackWord),
                                .forced = track.forced != 0,
                                .file = text(track.file, kMaxTrackTitle),
                                .title = text(track.title, kMaxTrackTitle),
                                .pictures = track.pictures != 0});
  }
  for (const sail_sound_track& track : std::span(given.sounds, given.sound_count)) {
    tracks.sounds.push_back({.language = text(track.language, kMaxTrackWord),
                             .title = text(track.title, kMaxTrackTitle),
                             .format = text(track.format, kMaxTrackWord),
                             .channels = track.channels,
                             .layout = text(track.layout, kMaxTrackWord)});
  }
  tracks.subtitle = given.subtitle;
  if (given.subtitle == SAIL_OTHER_SUBTITLES) tracks.subtitle.reset();
  return message_from_json<FilmTracks>(to_json(tracks), "sail_tracks");
}

}  // namespace sail
