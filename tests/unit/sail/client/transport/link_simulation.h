// Simulates a stream whose only information about the link is its receiver's feedback, in virtual
// time: a bottleneck with or without a queue, delay, jitter, random loss, a receiver that is
// sometimes busy, and a sender paced by LinkRate.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <queue>
#include <random>
#include <vector>

#include "sail/client/transport/link_rate.h"

namespace sail::test {

struct SimulatedPath {
  double bytes_per_s = std::numeric_limits<double>::infinity();
  double queue_ms = 100;  // bottleneck queue at that rate; excess packets are dropped
  double rtt_ms = 0.2;
  double jitter_ms = 0;         // maximum extra one-way delay of each packet
  double loss = 0;              // random
  double other_queue_ms = 0;    // cross traffic in the queue
  double busy_ms = 0;           // receiver stall, once a second at a random time
  double feedback_late_ms = 0;  // maximum extra delay, random
};

class LinkSimulation {
 public:
  // stream_bytes_per_s: total rate of the stream's frames.
  LinkSimulation(double stream_bytes_per_s, const SimulatedPath& first)
      : path(first), stream_bytes_per_s_(stream_bytes_per_s) {}

  SimulatedPath path;  // may change at any time

  struct Figures {
    double bytes_per_s = 0;  // mean received rate
    double loss = 0;         // share of packets
    double queue_ms = 0;     // maximum at the bottleneck
    double mean_queue_ms = 0;
    double least_rate = LinkRate::kUnlimited;  // lowest rate that LinkRate allowed
    double fps = 0;
  };
  Figures run(double seconds);
  void set_stream(double bytes_per_s) { stream_bytes_per_s_ = bytes_per_s; }
  double rate() const { return rate_.bytes_per_s(); }

 private:
  struct Arrival {
    int64_t at_ns = 0;
    int64_t sent_ns = 0;
    bool lost = false;  // loss detected at that time

    bool operator>(const Arrival& other) const { return at_ns > other.at_ns; }
  };
  struct Feedback {
    int64_t at_ns = 0;
    LinkRate::Sample sample;
  };

  void send();
  void transmit();
  void receive();
  void report();
  void take_feedback();
  double random(double most) { return std::uniform_real_distribution<double>(0, most)(random_); }

  double stream_bytes_per_s_;
  LinkRate rate_;
  int64_t now_ns_ = 1'000'000'000;
  std::mt19937 random_{3};

  // Sender: sends the newest frame when the link is free.
  double frame_left_ = 0;
  double credit_ = 0;
  int64_t frame_sent_ = 0;
  int64_t frames_ = 0;
  bool limited_ = false;

  // Packets in flight.
  double queued_bytes_ = 0;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
  std::deque<Feedback> feedbacks_;

  // Receiver.
  LinkCounters counters_;
  uint64_t run_of_lost_ = 0;
  double delay_sum_ms_ = 0;
  int delays_ = 0;
  std::deque<std::pair<int64_t, double>> least_delays_;  // minima of the last ten seconds
  int64_t next_report_ns_ = 0;
  int64_t busy_until_ns_ = 0;
  int64_t next_busy_ns_ = 0;

  Figures figures_;
};

}  // namespace sail::test
