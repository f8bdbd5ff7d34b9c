#include "tests/unit/sail/client/transport/link_simulation.h"

#include <algorithm>
#include <cmath>

namespace sail::test {
namespace {

constexpr int64_t kStepNs = 250'000;
constexpr double kStepSeconds = 1e-9 * kStepNs;
constexpr double kFps = 30;
constexpr double kPacketBytes = 1400;
constexpr double kSpread = 0.85;  // share of the interval in which a frame is sent
constexpr int64_t kFeedbackNs = 10'000'000;
constexpr int64_t kReorderNs = 5'000'000;
constexpr int64_t kRememberNs = 10'000'000'000;

int64_t ns(double ms) {
  return static_cast<int64_t>(ms * 1e6);
}

}  // namespace

LinkSimulation::Figures LinkSimulation::run(double seconds) {
  figures_ = {};
  const LinkCounters before = counters_;
  const int64_t frames_before = frames_;
  const auto steps = static_cast<int64_t>(seconds / kStepSeconds);
  for (int64_t step = 0; step < steps; ++step) {
    now_ns_ += kStepNs;
    send();
    transmit();
    receive();
    take_feedback();
    const double queue_ms =
        std::isinf(path.bytes_per_s) ? 0 : queued_bytes_ / path.bytes_per_s * 1e3;
    figures_.queue_ms = std::max(figures_.queue_ms, queue_ms);
    figures_.mean_queue_ms += queue_ms / static_cast<double>(steps);
    figures_.least_rate = std::min(figures_.least_rate, rate());
  }
  const auto packets = static_cast<double>(counters_.packets_arrived - before.packets_arrived);
  const auto lost = static_cast<double>(counters_.packets_lost - before.packets_lost);
  figures_.bytes_per_s =
      static_cast<double>(counters_.bytes_arrived - before.bytes_arrived) / seconds;
  figures_.loss = packets + lost > 0 ? lost / (packets + lost) : 0;
  figures_.fps = static_cast<double>(frames_ - frames_before) / seconds;
  return figures_;
}

void LinkSimulation::send() {
  const auto frame = static_cast<int64_t>(static_cast<double>(now_ns_) / 1e9 * kFps);
  if (frame_left_ <= 0) {
    if (frame == frame_sent_) return;
    frame_sent_ = frame;
    frame_left_ = stream_bytes_per_s_ / kFps;
    ++frames_;
  }
  const double pace = stream_bytes_per_s_ / kSpread;
  limited_ = limited_ || rate() < pace;
  credit_ += std::min(pace, rate()) * kStepSeconds;
}

void LinkSimulation::transmit() {
  const double carried = path.bytes_per_s * kStepSeconds;
  queued_bytes_ = std::isinf(carried) ? 0 : std::max(queued_bytes_ - carried, 0.0);
  const double room =
      std::max(path.queue_ms / 1e3 * path.bytes_per_s, kPacketBytes) - kPacketBytes / 2;
  while (credit_ >= kPacketBytes && frame_left_ > 0) {
    credit_ -= kPacketBytes;
    frame_left_ -= kPacketBytes;
    const bool dropped = queued_bytes_ > room;
    const bool lost = dropped || random(1) < path.loss;
    if (!dropped) queued_bytes_ += kPacketBytes;
    const double waits_ms =
        std::isinf(path.bytes_per_s) ? 0 : queued_bytes_ / path.bytes_per_s * 1e3;
    const int64_t at_ns =
        now_ns_ + ns(path.rtt_ms / 2 + waits_ms + path.other_queue_ms + random(path.jitter_ms));
    arrivals_.push({lost ? at_ns + kReorderNs : at_ns, now_ns_, lost});
  }
  if (frame_left_ <= 0) credit_ = 0;
}

void LinkSimulation::receive() {
  if (path.busy_ms > 0 && now_ns_ >= next_busy_ns_) {
    busy_until_ns_ = now_ns_ + ns(path.busy_ms);
    next_busy_ns_ = now_ns_ + ns(500 + random(1000));
  }
  if (now_ns_ < busy_until_ns_) return;
  while (!arrivals_.empty() && arrivals_.top().at_ns <= now_ns_) {
    const Arrival arrival = arrivals_.top();
    arrivals_.pop();
    if (arrival.lost) {
      ++counters_.packets_lost;
      ++run_of_lost_;
      continue;
    }
    if (run_of_lost_ > 0) ++counters_.bursts[burst_class(run_of_lost_)];
    run_of_lost_ = 0;
    ++counters_.packets_arrived;
    counters_.bytes_arrived += static_cast<uint64_t>(kPacketBytes);
    const double delay_ms = static_cast<double>(now_ns_ - arrival.sent_ns) / 1e6;
    delay_sum_ms_ += delay_ms;
    ++delays_;
    while (!least_delays_.empty() && least_delays_.back().second >= delay_ms) {
      least_delays_.pop_back();
    }
    least_delays_.emplace_back(now_ns_, delay_ms);
  }
  while (!least_delays_.empty() && least_delays_.front().first < now_ns_ - kRememberNs) {
    least_delays_.pop_front();
  }
  if (delays_ > 0 && now_ns_ >= next_report_ns_) report();
}

void LinkSimulation::report() {
  next_report_ns_ = now_ns_ + kFeedbackNs;
  const double queue_ms = delay_sum_ms_ / delays_ - least_delays_.front().second;
  delay_sum_ms_ = 0;
  delays_ = 0;
  const int64_t at_ns = now_ns_ + ns(path.rtt_ms / 2 + random(path.feedback_late_ms));
  const int64_t after_ns = feedbacks_.empty() ? at_ns : feedbacks_.back().at_ns;
  feedbacks_.push_back({std::max(at_ns, after_ns),
                        {.counters = counters_, .queue_ms = queue_ms, .rtt_ms = path.rtt_ms}});
}

void LinkSimulation::take_feedback() {
  while (!feedbacks_.empty() && feedbacks_.front().at_ns <= now_ns_) {
    LinkRate::Sample sample = feedbacks_.front().sample;
    feedbacks_.pop_front();
    sample.now_ns = now_ns_;
    sample.limited = limited_;
    limited_ = false;
    rate_.add(sample);
  }
}

}  // namespace sail::test
