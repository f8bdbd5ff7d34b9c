#include "manager/wall/cause.h"

#include <algorithm>
#include <array>

namespace manager {
namespace {

struct Entry {
  Cause cause;
  const char* code;
  Picture picture;
  bool fact;
  const char* problem;
};

constexpr const char* kFewer = "shows fewer frames than it should";
constexpr const char* kNotEverywhere = "is not shown on all of its tiles";

constexpr std::array kEntries = {
    Entry{Cause::kNone, "none", Picture::kShown, false, ""},
    Entry{Cause::kStill, "still", Picture::kStill, false, ""},
    Entry{Cause::kPaused, "paused", Picture::kStill, false, ""},
    Entry{Cause::kEnded, "ended", Picture::kStill, false, ""},
    Entry{Cause::kHidden, "hidden", Picture::kStill, false, ""},
    Entry{Cause::kBlank, "blank", Picture::kStill, true, ""},
    Entry{Cause::kFrozen, "frozen", Picture::kStill, true, ""},
    Entry{Cause::kScheduled, "scheduled", Picture::kStill, true, ""},
    Entry{Cause::kOpening, "opening", Picture::kLate, true, "shows nothing yet"},
    Entry{Cause::kProgramGone, "program_gone", Picture::kLate, true, "has lost its program"},
    Entry{Cause::kProgramStopped, "program_stopped", Picture::kLate, true,
          "is stalled: its program does not answer"},
    Entry{Cause::kRankAway, "rank_away", Picture::kLate, true, "has a missing part"},
    Entry{Cause::kSilent, "silent", Picture::kLate, true, "has no signal"},
    Entry{Cause::kTimeStamps, "time_stamps", Picture::kLate, true,
          "has a live source whose time stamps jump"},
    Entry{Cause::kApplication, "application", Picture::kLate, false, kFewer},
    Entry{Cause::kSource, "source", Picture::kLate, false, kFewer},
    Entry{Cause::kStorage, "storage", Picture::kLate, false, kFewer},
    Entry{Cause::kEncoding, "encoding", Picture::kLate, false, kFewer},
    Entry{Cause::kReceiverAway, "receiver_away", Picture::kLate, true, kNotEverywhere},
    Entry{Cause::kReceiverStopped, "receiver_stopped", Picture::kLate, true, kNotEverywhere},
    Entry{Cause::kUnreachable, "unreachable", Picture::kLate, true, kNotEverywhere},
    Entry{Cause::kNotReady, "not_ready", Picture::kLate, false, kNotEverywhere},
    Entry{Cause::kDecoding, "decoding", Picture::kLate, false, kFewer},
    Entry{Cause::kPainting, "painting", Picture::kLate, false, kFewer},
    Entry{Cause::kBarrier, "barrier", Picture::kLate, false, kFewer},
    Entry{Cause::kLink, "link", Picture::kLate, false, kFewer},
    Entry{Cause::kLoss, "loss", Picture::kLate, false, kFewer},
    Entry{Cause::kQueue, "queue", Picture::kLate, false, kFewer},
    Entry{Cause::kMachine, "machine", Picture::kLate, false, kFewer},
    Entry{Cause::kClock, "clock", Picture::kLate, false, kFewer},
    Entry{Cause::kLayout, "layout", Picture::kLate, true, "has no frame for the current layout"},
    Entry{Cause::kUnknown, "unknown", Picture::kLate, false, kFewer},
    Entry{Cause::kSound, "sound", Picture::kShown, true, ""},
    Entry{Cause::kDisplay, "display", Picture::kShown, true, ""},
    Entry{Cause::kMuted, "muted", Picture::kShown, true, ""},
    Entry{Cause::kSaving, "saving", Picture::kShown, true, ""},
    Entry{Cause::kDamaged, "damaged", Picture::kShown, true, ""},
    Entry{Cause::kPower, "power", Picture::kShown, true, ""},
    Entry{Cause::kScene, "scene", Picture::kShown, true, ""},
    Entry{Cause::kWebhook, "webhook", Picture::kShown, true, ""},
    Entry{Cause::kWitness, "witness", Picture::kShown, true, ""},
    Entry{Cause::kUpdate, "update", Picture::kShown, true, ""},
};

constexpr auto kCauses = [] {
  std::array<Cause, kEntries.size()> causes{};
  std::ranges::transform(kEntries, causes.begin(), &Entry::cause);
  return causes;
}();

const Entry& entry(Cause cause) {
  return kEntries[static_cast<size_t>(cause)];
}
static_assert([] {
  for (size_t i = 0; i < kEntries.size(); ++i) {
    if (static_cast<size_t>(kEntries[i].cause) != i) return false;
  }
  return true;
}());

}  // namespace

std::span<const Cause> all_causes() {
  return kCauses;
}

const char* cause_code(Cause cause) {
  return entry(cause).code;
}

Picture picture_of(Cause cause) {
  return entry(cause).picture;
}

const char* picture_code(Picture picture) {
  switch (picture) {
    case Picture::kShown:
      return "shown";
    case Picture::kStill:
      return "still";
    case Picture::kLate:
      return "late";
  }
  return "";
}

bool is_fact(Cause cause) {
  return entry(cause).fact;
}

const char* problem_text(Cause cause) {
  return entry(cause).problem;
}

}  // namespace manager
