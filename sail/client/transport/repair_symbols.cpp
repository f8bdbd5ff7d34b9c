#include "sail/client/transport/repair_symbols.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "sail/core/wire/data/packets.h"

namespace sail {
namespace {

constexpr double kFastSeconds = 1;
constexpr double kSlowSeconds = 10;
constexpr int64_t kForgetLossNs = 10'000'000'000;
// Denominator at least this large, so that one early loss does not count as a high ratio.
constexpr double kLeastPackets = 500;
// Standard deviations above the mean loss.
constexpr double kParityDeviations = 3.3;

double count_bursts(const LinkCounters& counters) {
  return static_cast<double>(
      std::accumulate(counters.bursts.begin(), counters.bursts.end(), uint64_t{0}));
}

double parity_against(double share, double burst, int sources) {
  const double mean = sources * share;
  return std::ceil(mean + kParityDeviations * std::sqrt(mean * burst));
}

}  // namespace

void FecShare::Average::fade(double seconds, double time_constant_s) {
  const double kept = std::exp(-seconds / time_constant_s);
  packets *= kept;
  lost *= kept;
  bursts *= kept;
}

double FecShare::Average::loss() const {
  return lost / std::max(packets + lost, kLeastPackets);
}

void FecShare::add(int64_t now_ns, const LinkCounters& counters) {
  const bool went_back = counters.packets_arrived < last_.packets_arrived ||
                         counters.packets_lost < last_.packets_lost;
  if (begun_ && !went_back) {
    const double seconds = static_cast<double>(std::max<int64_t>(now_ns - last_ns_, 0)) / 1e9;
    const auto packets = static_cast<double>(counters.packets_arrived - last_.packets_arrived);
    const auto lost = static_cast<double>(counters.packets_lost - last_.packets_lost);
    const double bursts = std::max(count_bursts(counters) - count_bursts(last_), 0.0);
    fast_.fade(seconds, kFastSeconds);
    slow_.fade(seconds, kSlowSeconds);
    for (Average* average : {&fast_, &slow_}) {
      average->packets += packets;
      average->lost += lost;
      average->bursts += bursts;
    }
    if (lost > 0) last_loss_ns_ = now_ns;
  }
  if (begun_ && now_ns - last_loss_ns_ > kForgetLossNs) fast_ = slow_ = {};
  begun_ = true;
  last_ns_ = now_ns;
  last_ = counters;
}

double FecShare::loss() const {
  return std::max(fast_.loss(), slow_.loss());
}

int FecShare::parity_for(int sources) const {
  const double burst = slow_.bursts > 0 ? std::max(slow_.lost / slow_.bursts, 1.0) : 1;
  const double parity =
      std::min(parity_against(loss(), burst, sources), parity_against(kMostLoss, 1, sources));
  return static_cast<int>(
      std::min({parity, static_cast<double>(sources), static_cast<double>(kMaxGroupParity)}));
}

void ParityGroup::set(uint32_t place, std::span<const std::span<const uint8_t>> parts,
                      size_t symbol_bytes) {
  copies_.resize(kGroupSymbols * symbol_bytes);
  const std::span<uint8_t> copy = std::span(copies_).subspan(place * symbol_bytes, symbol_bytes);
  size_t filled = 0;
  for (const auto part : parts) {
    std::memcpy(copy.data() + filled, part.data(), part.size());
    filled += part.size();
  }
  std::fill(copy.begin() + static_cast<ptrdiff_t>(filled), copy.end(), uint8_t{0});
}

void ParityGroup::encode(uint32_t sources, uint32_t parities, size_t symbol_bytes,
                         size_t tail_bytes) {
  sources_ = sources;
  tail_bytes_ = tail_bytes;
  parity_bytes_ = sources == 1 ? tail_bytes : symbol_bytes;
  parities_.resize(size_t{kMaxGroupParity} * symbol_bytes);
  source_places_.clear();
  parity_places_.clear();
  for (uint32_t i = 0; i < sources; ++i) {
    source_places_.push_back(copies_.data() + i * symbol_bytes);
  }
  for (uint32_t i = 0; i < parities; ++i) {
    parity_places_.push_back(parities_.data() + i * parity_bytes_);
  }
  encoder_.encode(parity_bytes_, source_places_, parity_places_);
}

}  // namespace sail
