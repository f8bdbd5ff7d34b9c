// A message is declared once. Beside its struct is a function that passes each field to a
// visitor: its name, its kind (type and range), and the member.
//
//   void fields(auto& visit, Of<EpochReady> auto& ready) {
//     visit("stream", kStreamNumber, ready.stream);
//     visit("lead_ns", kTimeNs, ready.lead_ns);
//   }
//
// Visitors read and write JSON (json_fields.h) and packets, name the columns of tables and files,
// fill the C library's events, and check the tables of sail/PROTOCOL.md against the code. A field
// that depends on the value of another field is visited after that one. Pure.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "codecs/color/scaling.h"
#include "sail/core/text/limits.h"

namespace sail {

// The message type, const when it is written.
template <typename T, typename Message>
concept Of = std::same_as<std::remove_const_t<T>, Message>;

// --- kinds --------------------------------------------------------------------------------------
//
// A kind reads its value from JsonFields and reports errors there. A kind may have json(), which
// converts the value for writing.

struct Whole {
  int64_t min = 0;
  int64_t max = 0;

  template <typename T>
  void read(auto& in, const char* name, T& value) const {
    value = static_cast<T>(in.integer(name, min, max));
  }
  static int64_t json(std::floating_point auto value) { return static_cast<int64_t>(value); }
};

struct Real {
  double min = 0;
  double max = 0;

  void read(auto& in, const char* name, double& value) const { value = in.number(name, min, max); }
};

// True or false; a missing field means false.
struct Flag {
  static void read(auto& in, const char* name, bool& value) { value = in.boolean_or(name, false); }
};

// An optional field: if missing, the member keeps its default. Members of type std::optional do not
// need this: they are empty when the field is missing, and not written when empty.
template <typename Kind>
struct Optional {
  Kind kind;
  bool needed = false;          // the field is required after all
  bool written = true;          // false: the field is only read
  bool default_written = true;  // false: not written when it has its default value
};
template <typename Kind>
constexpr Optional<Kind> optional(Kind kind) {
  return {kind};
}
// A field that is written only when it differs from its default.
template <typename Kind>
constexpr Optional<Kind> sparse(Kind kind) {
  return {.kind = kind, .default_written = false};
}
// Written only if `written`; always read if present.
template <typename Kind>
constexpr Optional<Kind> written_if(bool written, Kind kind) {
  return {.kind = kind, .written = written};
}
// Required and written only if `needed`.
template <typename Kind>
constexpr Optional<Kind> needed_if(bool needed, Kind kind) {
  return {.kind = kind, .needed = needed, .written = needed};
}

constexpr Whole kCount{0, static_cast<int64_t>(kMaxCounter)};
constexpr Whole kFrameNumber{1, static_cast<int64_t>(kMaxCounter)};
constexpr Whole kStreamNumber{1, std::numeric_limits<uint32_t>::max()};
constexpr Whole kTimeNs{0, kMaxTimeNs};
constexpr Whole kPort{1, 65535};
constexpr Whole kReduction{0, codecs::kMaxReduction};
constexpr Whole kSoundChannelCount{1, kMaxSoundChannels};
constexpr Whole kSoundLatencyMs{0, 1000};
constexpr Real kMeasure{0, 1e12};  // in any unit
constexpr Real kPercent{0, 100};

}  // namespace sail
