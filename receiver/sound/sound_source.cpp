#include "receiver/sound/sound_source.h"

#include <samplerate.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "sail/core/time/clock.h"

namespace receiver {
namespace {

// Pieces with a smaller gap or overlap are continuous; resampling compensates for it.
constexpr int64_t kSeamNs = sail::kSecondNs / 50;
// With a larger time error, playback restarts at the right position.
constexpr int64_t kAstrayNs = sail::kSecondNs / 10;
// A smaller error is corrected over about this time, by an inaudible change of speed.
constexpr double kMendSpeedNs = 2e9;
constexpr double kMostSpeed = 0.005;
constexpr size_t kMostAtATime = 64;  // samples
// Presentation times include the latency of the picture.
constexpr int64_t kFarthestNs = sail::kMaxSoundAheadNs + sail::kSecondNs;

int64_t ns_of(size_t samples, uint32_t rate) {
  return static_cast<int64_t>(samples) * sail::kSecondNs / rate;
}

size_t samples_in(int64_t ns, uint32_t rate) {
  return static_cast<size_t>(std::max<int64_t>(ns, 0) * rate / sail::kSecondNs);
}

float value_at(std::span<const uint8_t> samples, size_t index) {
  const auto bits = static_cast<uint16_t>(samples[2 * index] | samples[2 * index + 1] << 8);
  return static_cast<float>(static_cast<int16_t>(bits)) / 32768;
}

}  // namespace

void SoundSource::Free::operator()(SRC_STATE_tag* state) const {
  src_delete(state);
}

SoundSource::SoundSource(int card_rate, int card_channels)
    : card_rate_(card_rate), channels_(static_cast<size_t>(card_channels)) {
  int error = 0;
  resampler_.reset(src_callback_new(pull, SRC_SINC_FASTEST, card_channels, &error, this));
  if (!resampler_) throw std::bad_alloc();
}

int64_t SoundSource::next_ns(const Piece& piece) const {
  return piece.at_ns + ns_of(piece.taken, piece.rate);
}

int64_t SoundSource::end_ns(const Piece& piece) const {
  return piece.at_ns + ns_of(samples_of(piece), piece.rate);
}

// Mono is copied to all channels of the card. Otherwise each channel is kept; channels that the
// card lacks are added to the existing ones.
SoundSource::Piece SoundSource::piece_of(const sail::Sound& sound) const {
  Piece piece{.at_ns = sound.at_ns, .rate = sound.rate, .taken = 0, .values = {}};
  piece.values.resize(sound.count() * channels_);
  const size_t channels = sound.channels;
  const float share = channels_ == 1 ? 1.0f / static_cast<float>(channels) : 1;
  for (size_t i = 0; i < sound.count(); ++i) {
    float* out = piece.values.data() + i * channels_;
    for (size_t c = 0; c < std::max(channels, channels == 1 ? channels_ : 1); ++c) {
      out[c % channels_] += share * value_at(sound.samples, i * channels + c % channels);
    }
  }
  return piece;
}

bool SoundSource::add(const sail::Sound& sound, int64_t now_ns) {
  // If the clock was set back, the buffered sound belongs to the old time.
  if (sound.restart || end_ns_ > now_ns + kFarthestNs) {
    while (!pieces_.empty()) drop_first();
    playing_ = false;
    end_ns_ = 0;
  }
  if (sound.samples.empty()) return true;
  const int64_t ends_ns = sound.at_ns + ns_of(sound.count(), sound.rate);
  const bool back = end_ns_ != 0 && sound.at_ns < end_ns_ - kSeamNs;
  if (ends_ns <= now_ns || ends_ns > now_ns + kFarthestNs || (back && ends_ns <= end_ns_) ||
      values_ + sound.count() * channels_ > kMostValues) {
    return false;
  }
  Piece piece = piece_of(sound);
  if (back) piece.taken = samples_in(end_ns_ - sound.at_ns, sound.rate);
  if (piece.taken >= samples_of(piece)) return false;
  values_ += piece.values.size();
  end_ns_ = ends_ns;
  pieces_.push_back(std::move(piece));
  return !back;
}

void SoundSource::drop_first() {
  values_ -= pieces_.front().values.size();
  pieces_.pop_front();
}

void SoundSource::read(std::span<float> out, int64_t heard_ns) {
  off_ns_ = 0;
  const size_t count = out.size() / channels_;
  size_t done = 0;
  while (done < count) {
    const int64_t at_ns = heard_ns + ns_of(done, static_cast<uint32_t>(card_rate_));
    size_t silent = 0;
    if (!playing_ && !begin(at_ns, count - done, silent)) break;
    std::fill_n(out.begin() + static_cast<ptrdiff_t>(done * channels_), silent * channels_, 0.0f);
    done += silent;
    if (silent == 0) done += play(out.subspan(done * channels_), at_ns);
  }
  std::fill(out.begin() + static_cast<ptrdiff_t>(done * channels_), out.end(), 0.0f);
}

bool SoundSource::begin(int64_t at_ns, size_t room, size_t& silent) {
  while (!pieces_.empty() && end_ns(pieces_.front()) <= at_ns) drop_first();
  if (pieces_.empty()) return false;
  Piece& first = pieces_.front();
  const int64_t early_ns = next_ns(first) - at_ns;
  silent = samples_in(early_ns, static_cast<uint32_t>(card_rate_));
  if (silent >= room) return false;
  first.taken += samples_in(-early_ns, first.rate);
  if (first.taken >= samples_of(first)) drop_first();
  if (pieces_.empty()) return false;
  src_reset(resampler_.get());
  ended_ = false;
  rate_ = pieces_.front().rate;
  pulled_ns_ = played_ns_ = next_ns(pieces_.front());
  playing_ = true;
  return true;
}

// Returns the samples played; fewer than requested at a pause or jump.
size_t SoundSource::play(std::span<float> out, int64_t at_ns) {
  off_ns_ = played_ns_ - at_ns;
  if (std::abs(off_ns_) > kAstrayNs) {
    playing_ = false;
    off_ns_ = 0;
    return 0;
  }
  const double mend = static_cast<double>(off_ns_) / kMendSpeedNs;
  const double speed = 1 - std::clamp(mend, -kMostSpeed, kMostSpeed);
  const size_t room = out.size() / channels_;
  const long got = src_callback_read(resampler_.get(), card_rate_ / (rate_ * speed),
                                     static_cast<long>(room), out.data());
  const size_t played = got < 0 ? 0 : static_cast<size_t>(got);
  played_ns_ += std::llround(static_cast<double>(played) * 1e9 / card_rate_ * speed);
  if (played < room) playing_ = false;
  return played;
}

long SoundSource::pull(void* self, float** values) {
  return static_cast<SoundSource*>(self)->pull(values);
}

// Callback of the resampler. It reads a piece's samples until its next call, so a piece is freed
// only then. It fetches input ahead and discards it at a jump, so each call returns few samples.
// After the end of input it must be reset; otherwise it would call forever.
long SoundSource::pull(float** values) {
  while (!pieces_.empty() && pieces_.front().taken >= samples_of(pieces_.front())) drop_first();
  ended_ = ended_ || pieces_.empty() || pieces_.front().rate != rate_ ||
           std::abs(next_ns(pieces_.front()) - pulled_ns_) > kSeamNs;
  if (ended_) return 0;
  Piece& next = pieces_.front();
  const int64_t apart_ns = next_ns(next) - pulled_ns_;
  played_ns_ += apart_ns;
  *values = next.values.data() + next.taken * channels_;
  const size_t count = std::min(samples_of(next) - next.taken, kMostAtATime);
  next.taken += count;
  pulled_ns_ = next_ns(next);
  return static_cast<long>(count);
}

}  // namespace receiver
