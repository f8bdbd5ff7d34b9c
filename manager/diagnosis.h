// Why a window shows what it shows: shown, still on purpose, or late with one cause, and a sentence
// that says what to do. Pure: all that is measured is an argument, time too.
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

// The one judgement of a window, by which all go: its verb, figures, light, metrics and label. It
// becomes better or worse when two reports in a row say so, or when the cause is a fact, so that it
// does not flicker.
class StreamHealth {
 public:
  static constexpr int kReports = 2;

  // By a new report of the application.
  void report(Diagnosis diagnosis);
  // Without one: time has passed, or somebody else is away.
  void look(Diagnosis diagnosis);
  const Diagnosis& diagnosis() const { return settled_; }
  Grade grade() const { return settled_.grade; }

 private:
  bool is_sure(const Diagnosis& diagnosis) const;

  Diagnosis settled_;
  int otherwise_ = 0;  // reports in a row
};

// Reports come once a second. Whoever has sent some and sends none for so long stands still.
constexpr double kStoppedS = 2;

// All that is known of a window's stream and of what its frames pass.
struct Flow {
  std::string codec;
  const sail::StreamStats* stats = nullptr;   // null: none have come
  const sail::StreamStats* before = nullptr;  // a second earlier
  double age_s = 0;                           // of the stats
  double open_s = 0;                          // since the window opened
  int64_t now_s = 0;                          // since 1970
  int64_t fed_s = 0;     // when its application handed over a frame last, likewise; 0: never
  int64_t starts_s = 0;  // when its film begins, likewise; 0: at once
  std::optional<sail::Playback> playback{};
  std::string gone{};               // a sentence about its program; empty: it is there
  std::vector<std::string> away{};  // receivers on whose tiles it stands, not connected
  std::string rank_away{};          // a sentence about ranks that give nothing; or empty
  bool layout_waits = false;        // a layout was shown without waiting for its frame any longer
  const sail::HostStats* host = nullptr;  // its application's
  struct Node {                           // a receiver that shows it
    std::string name;
    const sail::ReceiverStats* stats = nullptr;
    double age_s = 0;                       // of the stats
    const sail::HostStats* host = nullptr;  // null: unknown
  };
  std::vector<Node> nodes{};
};

Diagnosis diagnose(const Flow& flow);

}  // namespace manager
