#include "sail/client/sound/sound_pieces.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

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

}  // namespace sail
