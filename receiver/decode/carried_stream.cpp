#include "receiver/decode/carried_stream.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace receiver {
namespace {

// A process that lived this long did not end for the same reason as the former one.
constexpr int64_t kLongLifeNs = 120 * sail::kSecondNs;
constexpr int64_t kLongestPauseNs = 30 * sail::kSecondNs;
// A request takes a round trip; frames in flight come first.
constexpr int64_t kAskKeyAgainNs = sail::kSecondNs;

// The first time at once; then after 1, 2, 4 … seconds.
int64_t pause_ns(int losses) {
  constexpr int kMostDoublings = 5;
  if (losses == 0) return 0;
  return std::min(sail::kSecondNs << std::min(losses - 1, kMostDoublings), kLongestPauseNs);
}

}  // namespace

CarriedStream::CarriedStream(codecs::CodecId codec, sail::Size frame_size,
                             const PictureMemory& memory, Options options)
    : codec_(codec), frame_size_(frame_size), memory_(memory), options_(std::move(options)) {}

CarriedStream::Decoded CarriedStream::decode(std::span<const uint8_t> block, PlainBlock& plain,
                                             int64_t now_ns, const std::stop_token& stop) {
  const auto units = sail::decode_units(block);
  if (!units) return {.why = "has invalid access units: " + units.error().text};
  if (block.size() > memory_.units().size()) return {.why = "has too many access units"};
  if (!process_) {
    if (auto refused = begin(*units, now_ns)) return *std::move(refused);
  }
  std::ranges::copy(block, memory_.units().begin());
  const int64_t begun_ns = sail::steady_now_ns();
  const auto reply = process_->decode(block.size(), units->units.size(), plain.place(), stop);
  if (!reply) return lose(reply.error(), now_ns + sail::steady_now_ns() - begun_ns);
  if (reply->outcome == CarriedOutcome::kNew) {
    plain.format = reply->format;
    plain.part = {0, 0, frame_size_.width, frame_size_.height};
  }
  return {.outcome = reply->outcome, .why = fault_text(reply->fault, frame_size_)};
}

std::optional<CarriedStream::Decoded> CarriedStream::begin(const sail::UnitsBlock& units,
                                                           int64_t now_ns) {
  const Decoded waiting{.why = "waits for its decoder to start again"};
  if (now_ns < retry_ns_) return waiting;
  if (std::ranges::none_of(units.units, &sail::AccessUnit::key)) {
    Decoded lacking{.why = fault_text({.kind = CarriedFault::Kind::kMissingUnits}, frame_size_)};
    lacking.needs_key = losses_ > 0 && ask(now_ns);
    return lacking;
  }
  auto process =
      DecoderProcess::start(options_.program, codec_, frame_size_, memory_, options_.limits);
  started_ns_ = now_ns;
  if (!process) return lose(process.error(), now_ns);
  process_ = *std::move(process);
  return std::nullopt;
}

CarriedStream::Decoded CarriedStream::lose(const sail::Error& error, int64_t now_ns) {
  process_.reset();
  if (now_ns - started_ns_ >= kLongLifeNs) losses_ = 0;
  retry_ns_ = now_ns + pause_ns(losses_++);
  return {.why = error.message,
          .needs_key = now_ns >= retry_ns_ && ask(now_ns),
          .lost_its_decoder = true};
}

bool CarriedStream::ask(int64_t now_ns) {
  if (now_ns < ask_ns_) return false;
  ask_ns_ = now_ns + kAskKeyAgainNs;
  return true;
}

}  // namespace receiver
