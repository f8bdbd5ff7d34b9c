// Diagnoses a window's picture: shown, still on purpose, or late, with one cause and a sentence of
// advice. Pure; measurements and time are arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manager/wall/stream_health.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/stats.h"

namespace manager {

// Reports come once a second. A peer that has reported, but not for this long, is stalled.
constexpr double kStoppedS = 2;

// The reports about a window's stream and about the path of its frames.
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
  std::vector<std::string> away{};        // Disconnected receivers whose tiles the window covers.
  std::vector<std::string> hanging{};     // Like `away`, but their programs run.
  std::string rank_away{};                // Sentence about absent ranks; empty: none.
  bool layout_waits = false;              // A layout timed out waiting for its frame.
  bool blank = false;                     // All tiles are black.
  bool window_blank = false;              // People have blanked the window.
  bool frozen = false;                    // People have frozen the window.
  const sail::HostStats* host = nullptr;  // The application's host; null: unknown.
  struct Node {                           // A receiver that shows the window.
    std::string name;
    const sail::ReceiverStats* stats = nullptr;
    double age_s = 0;                       // Age of stats.
    const sail::HostStats* host = nullptr;  // null: unknown.
    bool launched = false;                  // The manager starts it.
  };
  std::vector<Node> nodes{};
};

Diagnosis diagnose(const Flow& flow);

// Returns the end of a sentence about a receiver that the manager started and that does not answer.
std::string restart_advice(const std::string& receiver);

// --- the bottleneck of a window that shows fewer frames than its application wants
// (late_cause.cpp) Checks the stages in the order of a frame's path.

// Requires stats and before in `flow`, which show that frames are missing.
Diagnosis late_cause(const Flow& flow);
// Like late_cause(), for a still picture of which no frame was ever shown. Requires stats.
Diagnosis dark_cause(const Flow& flow);

// Returns a diagnosis if a receiver has been unreachable or not ready, or has decoded nothing, for
// at least least_s seconds.
std::optional<Diagnosis> unreached(const std::vector<sail::LinkStats>& links, double least_s);

// Whether fps is lower than `than` by more than the error of counts over one second.
bool fewer(double fps, double than);
// Rounds down to a whole number, but 59.99 gives "60". Below 10: with one decimal.
std::string number_text(double value);

}  // namespace manager
