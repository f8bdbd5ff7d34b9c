// Diagnoses a window's picture: shown, still on purpose, or late, with one cause and a sentence of
// advice. Pure; measurements and time are arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manager/cause.h"
#include "sail/wire/host_stats.h"
#include "sail/wire/json.h"
#include "sail/wire/playback.h"
#include "sail/wire/stats.h"

namespace manager {

enum class Grade { kWell, kSlow, kBad };
const char* grade_name(Grade grade);

struct Diagnosis {
  Grade grade = Grade::kWell;
  Cause cause = Cause::kOpening;
  std::string sentence = "no figures have come yet";

  bool operator==(const Diagnosis&) const = default;
};
sail::Json to_json(const Diagnosis& diagnosis);

// The verdict on a window, shared by verbs, statistics, page, metrics and labels. To avoid flicker,
// the grade changes only when two reports in a row agree, or when the cause is a fact.
class StreamHealth {
 public:
  static constexpr int kReports = 2;

  // A report of the application has arrived.
  void report(Diagnosis diagnosis);
  // Without a new report: time has passed or another peer has left. Only facts change the verdict.
  void look(Diagnosis diagnosis);
  const Diagnosis& diagnosis() const { return settled_; }
  Grade grade() const { return settled_.grade; }

 private:
  bool is_sure(const Diagnosis& diagnosis) const;

  Diagnosis settled_;
  int otherwise_ = 0;  // Consecutive reports with another grade.
};

// Reports come once a second. A peer that has reported, but not for this long, is stalled.
constexpr double kStoppedS = 2;

// All measurements of a window's stream and of its frames' path.
struct Flow {
  std::string codec;
  const sail::StreamStats* stats = nullptr;   // null: none received.
  const sail::StreamStats* before = nullptr;  // The report one second before.
  double age_s = 0;                           // Age of stats.
  double open_s = 0;                          // Time since the window opened.
  int64_t now_s = 0;                          // Seconds since 1970.
  int64_t fed_s = 0;     // Last frame from the application, since 1970; 0: never.
  int64_t starts_s = 0;  // Start of a scheduled film, since 1970; 0: at once.
  std::optional<sail::Playback> playback{};
  std::string gone{};                     // Sentence about the lost program; empty: it runs.
  std::vector<std::string> away{};        // Disconnected receivers whose tiles it covers.
  std::string rank_away{};                // Sentence about absent ranks; empty: none.
  bool layout_waits = false;              // A layout timed out waiting for its frame.
  const sail::HostStats* host = nullptr;  // The application's host; null: unknown.
  struct Node {                           // A receiver that shows the window.
    std::string name;
    const sail::ReceiverStats* stats = nullptr;
    double age_s = 0;                       // Age of stats.
    const sail::HostStats* host = nullptr;  // null: unknown.
  };
  std::vector<Node> nodes{};
};

Diagnosis diagnose(const Flow& flow);

}  // namespace manager
