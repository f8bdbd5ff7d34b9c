#include "sail/client/sound/sound_sender.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr size_t kSampleBytes = sizeof(int16_t);
constexpr float kLoudest = std::numeric_limits<int16_t>::max();

int16_t sample_of(float value) {
  if (std::isnan(value)) return 0;
  return static_cast<int16_t>(std::lrint(std::clamp(value, -1.0f, 1.0f) * kLoudest));
}

// Returns `count` samples from index `first` as little-endian 16-bit values.
std::vector<uint8_t> wire_samples(const sail_audio& given, size_t first, size_t count) {
  std::vector<uint8_t> bytes(count * kSampleBytes);
  for (size_t i = 0; i < count; ++i) {
    int16_t value = 0;
    if (given.format == SAIL_FLOAT) {
      value = sample_of(static_cast<const float*>(given.samples)[first + i]);
    } else {
      value = static_cast<const int16_t*>(given.samples)[first + i];
    }
    bytes[2 * i] = static_cast<uint8_t>(value);
    bytes[2 * i + 1] = static_cast<uint8_t>(value >> 8);
  }
  return bytes;
}

// Returns the mistake, or null if the arguments are valid.
const char* mistake_in(const sail_audio& given, int64_t now_ns) {
  int format = 0;  // may be any value from a C caller
  std::memcpy(&format, &given.format, sizeof format);
  if (format != SAIL_S16 && format != SAIL_FLOAT) return "audio: unknown sample format";
  if (given.rate < kMinSoundRate || given.rate > kMaxSoundRate) {
    return "audio: the rate must be 8000 to 192000 Hz";
  }
  if (given.channels < 1 || given.channels > kMaxSoundChannels) {
    return "audio: channels must be 1 to 8";
  }
  if (given.count == 0 && given.restart == 0) return "audio: no samples given";
  if (given.count > 0 && given.samples == nullptr) return "audio: no samples given";
  if (given.count > static_cast<size_t>(given.rate) * 2)
    return "audio: more than two seconds of sound";
  if (given.at_ns < 0 || given.at_ns > kMaxTimeNs) return "audio: at_ns is not a valid wall time";
  const auto lasts_ns = static_cast<int64_t>(given.count) * kSecondNs / given.rate;
  if (given.at_ns + lasts_ns > now_ns + kMaxSoundAheadNs) {
    return "audio: the sound ends more than two seconds ahead";
  }
  return nullptr;
}

}  // namespace

Result<std::vector<SoundPiece>> sound_pieces(const sail_audio& given, int64_t now_ns) {
  if (const char* mistake = mistake_in(given, now_ns)) {
    return fail(ErrorCode::kInvalidParams, mistake);
  }
  const auto at_ns = [&](size_t sample) {
    return given.at_ns + static_cast<int64_t>(sample) * kSecondNs / given.rate;
  };
  if (given.restart == 0 && given.with_picture == 0 && at_ns(given.count) <= now_ns) {
    return fail(ErrorCode::kTimeout, "audio: too late: the time of the sound has passed");
  }
  const auto channels = static_cast<size_t>(given.channels);
  const size_t most = kMaxSoundBytes / (kSampleBytes * channels);
  std::vector<SoundPiece> pieces;
  for (size_t first = 0; first < given.count || pieces.empty(); first += most) {
    const size_t count = std::min(most, given.count - first);
    pieces.push_back({.sound = {.at_ns = std::min(at_ns(first), kMaxTimeNs),
                                .rate = static_cast<uint32_t>(given.rate),
                                .channels = static_cast<uint8_t>(given.channels),
                                .restart = given.restart != 0 && first == 0},
                      .samples = wire_samples(given, first * channels, count * channels),
                      .with_picture = given.with_picture != 0});
  }
  return pieces;
}

namespace {

// Smoothing window of the video latency, in frames.
constexpr int64_t kLatencyFrames = 16;

}  // namespace

bool SoundSender::submit(SoundPiece piece) {
  const auto left_out = waiting_.push(std::move(piece));
  if (left_out && left_out->sound.restart) restart_lost_ = true;
  loop_.post([this] { send_waiting(); });
  return !left_out;
}

void SoundSender::send_waiting() {
  sounds_ = true;
  make_connections();
  while (auto piece = waiting_.pop()) {
    Sound sound = piece->sound;
    sound.samples = piece->samples;
    if (restart_lost_.exchange(false)) sound.restart = true;
    if (piece->with_picture) sound.at_ns += latency_ns_.value_or(0);
    const auto message = encode(stream_, sound);
    for (const auto& connection : connections_) connection->send(message);
  }
}

// Keeps the connections of routes that did not change, so that a repeated route is inaudible.
void SoundSender::make_connections() {
  if (!sounds_ || stream_ == 0) return;
  std::erase_if(connections_, [this](const auto& connection) {
    return std::ranges::find(routes_, connection->route()) == routes_.end();
  });
  for (const SoundRoutes::Route& route : routes_) {
    const bool there = std::ranges::any_of(
        connections_, [&](const auto& connection) { return connection->route() == route; });
    if (there) continue;
    const uint64_t secret = route.recorder != 0 ? route.recorder : secret_;
    connections_.push_back(std::make_unique<SoundConnection>(loop_, log_, route, stream_, secret));
  }
}

void SoundSender::open(const StreamOpened& opened) {
  wall_has_audio_ = opened.sound;
  const bool same = stream_ == opened.stream && secret_ == opened.secret;
  if (same && opened.sound) return;  // the connections continue
  close();
  stream_ = opened.stream;
  secret_ = opened.secret;
}

void SoundSender::route(const SoundRoutes& routes) {
  routes_ = routes.routes;
  wanted_ = !routes_.empty();
  make_connections();
}

void SoundSender::frame_done(const FrameFate& fate) {
  if (fate.first_swapped_ns == 0) return;
  const int64_t took_ns = std::max<int64_t>(fate.first_swapped_ns - fate.submitted_ns, 0);
  latency_ns_ = latency_ns_ ? *latency_ns_ + (took_ns - *latency_ns_) / kLatencyFrames : took_ns;
}

void SoundSender::close() {
  wanted_ = false;
  stream_ = 0;
  routes_.clear();
  connections_.clear();
}

}  // namespace sail
