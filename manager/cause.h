// Why a window shows what it shows: the closed list of all causes. Each has a code, which clients
// and scripts may rely on (COMMANDS.md, "why"). Pure.
#pragma once

#include <cstdint>
#include <span>

namespace manager {

enum class Cause : uint8_t {
  // The window shows what its application hands over.
  kNone,
  // Nothing moves, and nothing is to move.
  kStill,
  kPaused,
  kEnded,
  kHidden,
  kScheduled,
  // Frames are late or do not come.
  kOpening,
  kProgramGone,
  kProgramStopped,
  kRankAway,
  kSilent,
  kTimeStamps,
  kApplication,
  kSource,
  kStorage,
  kEncoding,
  kReceiverAway,
  kReceiverStopped,
  kUnreachable,
  kNotReady,
  kDecoding,
  kPainting,
  kBarrier,
  kLink,
  kLoss,
  kQueue,
  kMachine,
  kClock,
  kLayout,
  kUnknown,
  // Problems of the wall, not of a window.
  kSound,
  kSaving,
};
std::span<const Cause> all_causes();
const char* cause_code(Cause cause);

// What people see in the window.
enum class Picture : uint8_t { kShown, kStill, kLate };
Picture picture_of(Cause cause);
const char* picture_code(Picture picture);

// The cause is known at once. The others follow from rates: one report alone may be wrong.
bool is_fact(Cause cause);

// "window 1 “Film” …": what is said of the window to people who look at the whole wall. Without
// figures, which change every second.
const char* problem_text(Cause cause);

}  // namespace manager
