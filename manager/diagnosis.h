// Where a stream's frames are lost: from what its application wants to show to what all its tiles
// do, the one place that is too slow, in a sentence that says what to do. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sail/wire/control_messages.h"
#include "sail/wire/json.h"

namespace manager {

enum class Grade { kWell, kSlow, kBad };
const char* grade_name(Grade grade);

enum class Narrow {
  kNone,
  kReceiverAway,
  kUnreachable,  // frames do not get through to a receiver
  kRankAway,     // one of several senders is gone, or hands over nothing
  kHidden,       // no tile shows the window: nothing is sent
  kStill,        // nothing moves
  kSource,       // the application reads, decodes or draws too slowly
  kEncoding,
  kLink,      // it carries too little
  kLoss,      // it loses packets
  kDecoding,  // at a receiver
  kPainting,  // at a receiver
  kBarrier,   // the others wait for a receiver
  kUnknown,
};
const char* narrow_name(Narrow narrow);

struct Diagnosis {
  Grade grade = Grade::kWell;
  Narrow narrow = Narrow::kNone;
  std::string sentence = "no figures have come yet";

  bool operator==(const Diagnosis&) const = default;
};
sail::Json to_json(const Diagnosis& diagnosis);

// A window's diagnosis as it is now, and the grade that it has had for some seconds, so that what
// is said of the whole wall does not flicker.
class StreamHealth {
 public:
  static constexpr int kLastingReports = 3;

  void report(Diagnosis diagnosis);
  const Diagnosis& diagnosis() const { return now_; }
  Grade lasting() const { return lasting_; }

 private:
  Diagnosis now_;
  Grade lasting_ = Grade::kWell;
  int otherwise_ = 0;  // reports in a row
};

// All that is known of a stream and of what it passes.
struct Flow {
  std::string codec;
  sail::StreamStats stats;
  std::optional<sail::StreamStats> before;  // a second earlier
  std::vector<std::string> away;            // receivers on whose tiles it stands, not connected
  std::string rank_away{};                  // a sentence about ranks that give nothing; or empty
  struct Node {
    std::string name;
    sail::ReceiverStats stats;
  };
  std::vector<Node> nodes;  // receivers that show it
};

Diagnosis diagnose(const Flow& flow);

}  // namespace manager
