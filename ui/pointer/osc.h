// Parser for Open Sound Control 1.0 datagrams: messages and bundles. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace ui {

constexpr size_t kMaxOscBytes = 65507;  // the largest UDP payload
constexpr int kMaxOscDepth = 4;         // nesting of bundles

// NTP time: seconds since 1900 in the upper 32 bits, fraction in the lower; 1 means "immediately".
struct OscTime {
  uint64_t ntp = 1;
  bool operator==(const OscTime&) const = default;
};

// Types without a use here (nil, impulse, blob, colour, MIDI, array brackets) are kept as
// monostate, so that argument positions stay right.
using OscValue = std::variant<std::monostate, int64_t, double, bool, std::string, OscTime>;

struct OscMessage {
  std::string address;  // such as "/tuio/2Dcur"
  std::vector<OscValue> arguments;

  // Returns an argument in the wanted type. Converts between whole and fractional numbers. Empty
  // optional: missing, another type, infinite or NaN.
  std::optional<std::string> text(size_t index) const;
  std::optional<int64_t> whole(size_t index) const;
  std::optional<double> number(size_t index) const;
};

// Returns all messages of the datagram in order. kBadData: one element is invalid, so the whole
// datagram is rejected.
sail::Result<std::vector<OscMessage>> read_osc(std::span<const uint8_t> datagram);

// The payload of the event that a message begins: "address" and "arguments"; types without a use
// here are null.
sail::Json event_payload(const OscMessage& message);

}  // namespace ui
