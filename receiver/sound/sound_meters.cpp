#include "receiver/sound/sound_meters.h"

#include <algorithm>
#include <cmath>

namespace receiver {
namespace {

constexpr uint64_t kFullScale = 65535;

uint64_t to_bits(float level) {
  return static_cast<uint64_t>(std::lround(std::clamp(level, 0.0f, 1.0f) * kFullScale));
}

// Four digits are enough, and short in the message.
double to_level(uint64_t bits) {
  constexpr double kDigits = 1e4;
  return std::round(static_cast<double>(bits & kFullScale) / kFullScale * kDigits) / kDigits;
}

}  // namespace

void SoundMeter::add(float sample) {
  peak_ = std::max(peak_, std::abs(sample));
  squares_ += double{sample} * sample;
  ++samples_;
}

float SoundMeter::rms() const {
  if (samples_ == 0) return 0;
  return static_cast<float>(std::sqrt(squares_ / static_cast<double>(samples_)));
}

void SoundMeters::put(size_t slot, uint32_t stream, const SoundMeter& meter) {
  if (slot >= slots_.size()) return;
  slots_[slot] = uint64_t{stream} << 32 | to_bits(meter.peak()) << 16 | to_bits(meter.rms());
}

std::vector<sail::SoundLevels::Level> SoundMeters::take() {
  std::vector<sail::SoundLevels::Level> levels;
  for (auto& slot : slots_) {
    const uint64_t bits = slot.exchange(0);
    const double peak = to_level(bits >> 16);
    if (peak > 0) levels.push_back({static_cast<uint32_t>(bits >> 32), peak, to_level(bits)});
  }
  return levels;
}

}  // namespace receiver
