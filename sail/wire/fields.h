// A message is declared once: beside its struct stands a function that shows each field to a
// visitor, with its name, what it may hold (its kind), and the member.
//
//   void fields(auto& visit, Of<EpochReady> auto& ready) {
//     visit("stream", kStreamNumber, ready.stream);
//     visit("render_ns", kTimeNs, ready.render_ns);
//   }
//
// Visitors read and write JSON (json_fields.h) and packets, name the columns of tables and files,
// fill the C library's events, and hold the tables of sail/PROTOCOL.md against the code. A field
// that is there for some values of another one only is shown after that one. Pure.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "codecs/reduce.h"
#include "sail/wire/limits.h"

namespace sail {

// The message, to be read or to be written.
template <typename T, typename Message>
concept Of = std::same_as<std::remove_const_t<T>, Message>;

// --- kinds --------------------------------------------------------------------------------------
//
// A kind reads its value from JsonFields, with the errors of those; json() tells how it is written
// where that is not as the value itself.

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

// True or false; false where it is missing.
struct Flag {
  static void read(auto& in, const char* name, bool& value) { value = in.boolean_or(name, false); }
};

// A field that may be missing: the member then keeps the value that it has by itself. Members of
// type std::optional need none of this: they hold nothing then, and are not written when they do.
template <typename Kind>
struct Optional {
  Kind kind;
  bool needed = false;          // it may not be missing after all
  bool written = true;          // false: it is only read
  bool default_written = true;  // false: not written when it has the value that it has by itself
};
template <typename Kind>
constexpr Optional<Kind> optional(Kind kind) {
  return {kind};
}
// Written only when it says something.
template <typename Kind>
constexpr Optional<Kind> sparse(Kind kind) {
  return {.kind = kind, .default_written = false};
}
// Written in some messages of the type; in others only read.
template <typename Kind>
constexpr Optional<Kind> written_if(bool written, Kind kind) {
  return {.kind = kind, .written = written};
}
// And needed in these.
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
constexpr Real kMeasure{0, 1e12};  // whatever the unit
constexpr Real kPercent{0, 100};

}  // namespace sail
