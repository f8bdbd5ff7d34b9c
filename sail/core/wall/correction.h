// The correction of a panel, as a wall file gives it and as the manager sends it to the receiver.
// Pure.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {

// Makes a panel look like its neighbours: its receiver changes each signal of 0 … 1 to
// gain · signal^gamma, and then by the table of a .cube file.
struct Correction {
  std::array<double, 3> gain{1, 1, 1};  // gains of red, green and blue
  double gamma = 1;
  std::string lut{};  // path of the file on the receiver's host; empty: none

  bool operator==(const Correction&) const = default;
};

struct ChannelGains {
  static void read(JsonFields& in, const char* name, std::array<double, 3>& gains) {
    constexpr double kMin = 0.1, kMax = 2;
    const Json& values = in.array(name, gains.size());
    const auto fits = [](const Json& value) {
      return value.is_number() && value.get<double>() >= kMin && value.get<double>() <= kMax;
    };
    if (values.size() != gains.size() || !std::ranges::all_of(values, fits)) {
      return in.mistake(name, fmt::format("must be [red, green, blue], {} to {} each", kMin, kMax));
    }
    for (size_t i = 0; i < gains.size(); ++i) gains[i] = values[i].get<double>();
  }
};

void fields(auto& visit, Of<Correction> auto& correction) {
  visit("gain", optional(ChannelGains()), correction.gain);
  visit("gamma", optional(Real{0.2, 5}), correction.gamma);
  visit("lut", sparse(FilledText{kMaxTitleLength}), correction.lut);
}

}  // namespace sail
