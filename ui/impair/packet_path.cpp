#include "ui/impair/packet_path.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace sail {
namespace {

constexpr double kMillisecond = 1e6;
constexpr size_t kDatagramHeaders = 28;  // IPv4 and UDP headers, which count towards the rate
constexpr size_t kSegmentBytes = 1448;   // TCP payload of a packet with 1500 bytes
// Longest extra delay of a reordered packet.
constexpr double kHoldMs = 2;
constexpr double kLeastRoundTripMs = 1;
constexpr double kPieceS = 0.002;
constexpr size_t kMaxPiece = 65536;

// Returns a value in [-1, 1] that depends only on seed and turn.
double random_share(uint64_t seed, int64_t turn) {
  std::seed_seq both{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32),
                     static_cast<uint32_t>(turn)};
  std::minstd_rand random(both);
  random.discard(3);
  constexpr double kRange = std::minstd_rand::max() - std::minstd_rand::min();
  return 2 * static_cast<double>(random() - std::minstd_rand::min()) / kRange - 1;
}

}  // namespace

void PacketPath::set(const Impairment& impairment) {
  impairment_ = impairment;
  queue_ns_ = std::llround(impairment.queue_ms * kMillisecond);
  random_.seed(impairment.seed);
  losing_ = false;
  turn_ = -1;
}

double PacketPath::draw() {
  constexpr int kBits = 53;  // of a double's mantissa
  return std::ldexp(static_cast<double>(random_() >> (64 - kBits)), -kBits);
}

// Burst losses by the Gilbert model (E. N. Gilbert, "Capacity of a burst-noise channel", 1960): all
// packets are lost in the loss state. Each packet ends that state with probability 1 / burst.
// The probability of entering the state is such that the fraction `loss` of all packets is lost.
// Independent losses already have a mean burst of 1 / (1 - loss), so shorter bursts are not
// possible.
bool PacketPath::draw_loss() {
  const double loss = impairment_.loss;
  const double random = draw();
  if (impairment_.burst * (1 - loss) <= 1) return random < loss;
  const double leave = 1 / impairment_.burst;
  const double enter = leave * loss / (1 - loss);
  losing_ = losing_ ? random >= leave : random < enter;
  return losing_;
}

int64_t PacketPath::queued_ns(int64_t now_ns) const {
  return std::max<int64_t>(idle_at_ns_ - now_ns, 0);
}

void PacketPath::pass_bottleneck(int64_t now_ns, size_t bytes) {
  if (impairment_.rate_bit_per_s <= 0) {
    // Removing the limit also removes its queue.
    idle_at_ns_ = now_ns;
    return;
  }
  const double seconds = static_cast<double>(bytes) * 8 / impairment_.rate_bit_per_s;
  idle_at_ns_ = std::max(idle_at_ns_, now_ns) + std::llround(seconds * 1e9);
}

// The delay varies linearly between random values, each segment lasting four times the jitter. It
// therefore changes by at most half the elapsed time.
int64_t PacketPath::delay_ns(int64_t now_ns) {
  const double delay_ms = impairment_.delay_ms;
  const double jitter_ms = impairment_.jitter_ms;
  if (jitter_ms <= 0) return std::llround(delay_ms * kMillisecond);
  const double turns = static_cast<double>(now_ns) / (4 * jitter_ms * kMillisecond);
  const auto turn = static_cast<int64_t>(turns);
  if (turn != turn_) {
    turn_ = turn;
    from_ = random_share(impairment_.seed, turn);
    to_ = random_share(impairment_.seed, turn + 1);
  }
  const double part = turns - static_cast<double>(turn);
  const double extra_ms = jitter_ms * (from_ + (to_ - from_) * part);
  return std::llround(std::max(delay_ms + extra_ms, 0.0) * kMillisecond);
}

PacketPath::Passage PacketPath::take(int64_t now_ns, size_t bytes) {
  // Always draw all random numbers, so that changing one setting does not affect the others.
  const bool lost = draw_loss();
  const bool held_back = draw() < impairment_.reorder;
  const double hold_ms = draw() * kHoldMs;
  const bool twice = draw() < impairment_.duplicate;
  if (impairment_.rate_bit_per_s > 0 && queue_full(now_ns)) return {.outcome = Outcome::kQueueFull};
  pass_bottleneck(now_ns, bytes + kDatagramHeaders);
  if (lost) return {.outcome = Outcome::kLost};
  int64_t leaves_ns = std::max(idle_at_ns_ + delay_ns(now_ns), last_leaves_ns_);
  if (held_back) {
    leaves_ns += std::llround(hold_ms * kMillisecond);
  } else {
    last_leaves_ns_ = leaves_ns;
  }
  return {
      .outcome = Outcome::kPasses, .leaves_ns = leaves_ns, .twice = twice, .held_back = held_back};
}

PacketPath::StreamPassage PacketPath::take_stream(int64_t now_ns, size_t bytes, int64_t order_ns) {
  pass_bottleneck(now_ns, bytes);
  bool lost = false;
  for (size_t at = 0; at < bytes; at += kSegmentBytes) lost = draw_loss() || lost;
  double late_ms = 0;
  if (lost) {
    late_ms = std::max(2 * impairment_.delay_ms, kLeastRoundTripMs);
    if (draw_loss()) late_ms += kRetransmitTimeoutMs;
  }
  const int64_t leaves_ns = idle_at_ns_ + delay_ns(now_ns) + std::llround(late_ms * kMillisecond);
  return {.leaves_ns = std::max(leaves_ns, order_ns), .sent_again = lost};
}

size_t PacketPath::piece_bytes() const {
  if (impairment_.rate_bit_per_s <= 0) return kMaxPiece;
  const double piece = impairment_.rate_bit_per_s / 8 * kPieceS;
  return static_cast<size_t>(std::clamp<double>(piece, kSegmentBytes, kMaxPiece));
}

Result<std::unique_ptr<TrafficLog>> TrafficLog::open(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) {
    return fail(ErrorCode::kIo, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  fmt::print(file, "ms,bytes,packets\n");
  return std::unique_ptr<TrafficLog>(new TrafficLog(file));
}

TrafficLog::~TrafficLog() {
  write_line();
  std::fclose(file_);
}

void TrafficLog::add(int64_t arrived_ns, size_t bytes) {
  if (first_ns_ < 0) first_ns_ = arrived_ns;
  const int64_t ms = (arrived_ns - first_ns_) / 1'000'000;
  if (ms > ms_) {
    write_line();
    ms_ = ms;
    bytes_ = 0;
    packets_ = 0;
  }
  bytes_ += bytes;
  ++packets_;
}

void TrafficLog::write_line() {
  if (packets_ > 0) fmt::print(file_, "{},{},{}\n", ms_, bytes_, packets_);
}

}  // namespace sail
