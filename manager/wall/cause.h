// All causes of the state of a window's picture. Each has a stable code for clients and scripts
// (COMMANDS.md, "why"). Pure.
#pragma once

#include <cstdint>
#include <span>

namespace manager {

enum class Cause : uint8_t {
  // The window shows the frames of its application.
  kNone,
  // The picture is still on purpose.
  kStill,
  kPaused,
  kEnded,
  kHidden,
  kBlank,
  kFrozen,
  kScheduled,
  // Frames are late or missing.
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
  kDisplay,
  kMuted,
  kSaving,
  kDamaged,
  kPower,
  kScene,
  kWebhook,
  kWitness,
  kUpdate,
};
std::span<const Cause> all_causes();
const char* cause_code(Cause cause);

// The state of the picture as people see it.
enum class Picture : uint8_t { kShown, kStill, kLate };
Picture picture_of(Cause cause);
const char* picture_code(Picture picture);

// Whether a single report proves the cause. Other causes are derived from rates, and a single
// report of a rate may be wrong.
bool is_fact(Cause cause);

// Returns the text for problem lists of the whole wall; follows "window 1 “Film” ". Contains no
// numbers, which would change every second.
const char* problem_text(Cause cause);

}  // namespace manager
