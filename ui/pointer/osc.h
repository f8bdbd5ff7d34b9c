// Open Sound Control 1.0 as it comes in datagrams: messages, and bundles of them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sail/base/result.h"

namespace ui {

constexpr size_t kMaxOscBytes = 65507;  // the largest UDP datagram
constexpr int kMaxOscDepth = 4;         // bundles within bundles

// Seconds since 1900 and their 2^32nd parts; 1 means "immediately".
struct OscTime {
  uint64_t ntp = 1;
  bool operator==(const OscTime&) const = default;
};

// Types that carry nothing for us (nil, impulse, blob, colour, MIDI, the brackets of arrays) are
// read and kept as monostate, so that positions stay right.
using OscValue = std::variant<std::monostate, int64_t, double, bool, std::string, OscTime>;

struct OscMessage {
  std::string address;  // "/tuio/2Dcur"
  std::vector<OscValue> arguments;

  // The argument as what is wanted; whole and fractional numbers stand for each other, an infinite
  // or undefined one is none.
  std::optional<std::string> text(size_t index) const;
  std::optional<int64_t> whole(size_t index) const;
  std::optional<double> number(size_t index) const;
};

// All messages of the datagram in order, or kBadData: one damaged element refuses it whole.
sail::Result<std::vector<OscMessage>> read_osc(std::span<const uint8_t> datagram);

}  // namespace ui
