#include "tests/support/heard_sound.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <fstream>
#include <numbers>
#include <span>

namespace test {
namespace {

constexpr int kRate = 48000;
constexpr size_t kChannels = 2;
constexpr size_t kPiece = kRate / 20;  // short, to detect gaps; whole periods of the tones
constexpr double kTolerance = 0.15;    // relative to the amplitude

double amplitude_of(int hz, std::span<const float> samples) {
  std::complex<double> sum = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    sum +=
        std::polar(double{samples[i]}, 2 * std::numbers::pi * hz * static_cast<double>(i) / kRate);
  }
  return 2 * std::abs(sum) / static_cast<double>(samples.size());
}

}  // namespace

sail::Wall with_loudspeakers(sail::Wall wall) {
  wall.audio = {{.receiver = wall.receivers.front().name, .device = ""}};
  return wall;
}

bool HeardSound::has_tone(int hz, double amplitude, double seconds) const {
  const std::vector<float> samples = last(seconds);
  const std::span<const float> all(samples);
  for (size_t begin = 0; begin + kPiece <= all.size(); begin += kPiece) {
    const double heard = amplitude_of(hz, all.subspan(begin, kPiece));
    if (std::abs(heard - amplitude) > std::max(amplitude, 0.1) * kTolerance) return false;
  }
  return !samples.empty();
}

std::vector<float> HeardSound::last(double seconds) const {
  const auto count = static_cast<size_t>(seconds * kRate) * kChannels;
  std::ifstream file(file_, std::ios::binary | std::ios::ate);
  const auto bytes = static_cast<size_t>(std::max<std::streamoff>(file.tellg(), 0));
  const size_t there = bytes / sizeof(float) / kChannels * kChannels;
  if (there < count) return {};
  std::vector<float> values(count);
  file.seekg(static_cast<std::streamoff>((there - count) * sizeof(float)));
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(float)));
  std::vector<float> left;
  for (size_t i = 0; i < values.size(); i += kChannels) left.push_back(values[i]);
  return left;
}

}  // namespace test
