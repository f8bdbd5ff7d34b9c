// Decides whether a link's receiver is in its stream's multicast group. The receiver must first get
// test packets of the group. A receiver that gets too few of the group's packets leaves, and stays
// outside until the connection ends. Pure; times are steady ns.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sail/core/wire/data/data_messages.h"

namespace sail {

class MulticastMember {
 public:
  static constexpr int64_t kHearNs = 1'000'000'000;  // time to get a test packet
  static constexpr int64_t kWindowNs = 1'000'000'000;
  static constexpr uint64_t kLeastSymbols = 8;  // fewer symbols in a window prove nothing
  static constexpr double kMostLoss = 0.1;      // share of packets
  static constexpr uint64_t kMostFramesBehind = 8;
  static constexpr int kBadWindows = 3;  // in a row, until the receiver leaves

  // The receiver was asked to join with this secret.
  void ask(uint64_t secret, int64_t now_ns);
  // The receiver answered.
  void answer(const MulticastState& state);
  // The receiver gets the stream's frames from the group.
  void enter();
  // The receiver no longer gets frames from the group. Keeps the state after fail().
  void leave();
  // The receiver cannot be in a group. why: a sentence's end for people.
  void fail(const std::string& why);

  // The group sent this many symbols for the receiver, which asked for one of them.
  void count_sent(uint64_t symbols) { sent_ += symbols; }
  void count_missed() { ++missed_; }
  // Call a few times a second. loss: share of packets that did not arrive. behind: by how many
  // frames the newest that the receiver has is older than that of the best member.
  void update(int64_t now_ns, double loss, uint64_t behind);

  bool waits() const { return state_ == State::kAsked; }
  bool hears() const { return state_ == State::kHears; }
  bool outside() const { return state_ == State::kOutside; }
  bool failed() const { return state_ == State::kFailed; }
  // Returns true once after the receiver has failed.
  bool take_failure() { return failed() && !std::exchange(told_, true); }
  // Empty unless failed().
  const std::string& why() const { return why_; }

 private:
  enum class State : uint8_t { kOutside, kAsked, kHears, kInside, kFailed };
  void judge(double loss);

  State state_ = State::kOutside;
  uint64_t secret_ = 0;
  int64_t since_ns_ = 0;  // asked, or begin of the window
  uint64_t sent_ = 0;     // in the window
  uint64_t missed_ = 0;
  uint64_t least_behind_ = UINT64_MAX;
  int lossy_windows_ = 0;
  int late_windows_ = 0;
  std::string why_;
  bool told_ = false;
};

}  // namespace sail
