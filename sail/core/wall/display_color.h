// The colours of a wall's displays, as in the wall file and in the manager's messages. Pure.
#pragma once

#include <fmt/core.h>

#include <string>

#include "codecs/color/color_transform.h"
#include "sail/core/text/json_fields.h"

namespace sail {

constexpr Choice<codecs::Primaries, 3> kPrimaries{{{codecs::Primaries::kBt709, "bt709"},
                                                   {codecs::Primaries::kP3, "p3"},
                                                   {codecs::Primaries::kBt2020, "bt2020"}}};

// A number, or "srgb".
struct DisplayCurve {
  static constexpr double kMin = 1, kMax = 4;
  static constexpr const char* kSrgb = "srgb";

  static void read(JsonFields& in, const char* name, double& gamma) {
    const Json& value = in.value(name);
    const double number = value.is_number() ? value.get<double>() : 0;
    gamma = value == kSrgb ? codecs::kSrgbCurve : number;
    if (value == kSrgb || (number >= kMin && number <= kMax)) return;
    in.mistake(name, fmt::format("must be a number from {} to {}, or \"{}\"", kMin, kMax, kSrgb));
  }
  static Json json(double gamma) { return gamma == codecs::kSrgbCurve ? Json(kSrgb) : Json(gamma); }
};

void fields(auto& visit, Of<codecs::DisplayColor> auto& display) {
  visit("primaries", optional(kPrimaries), display.primaries);
  visit("peak_nits", optional(Real{50, 10000}), display.peak_nits);
  visit("gamma", optional(DisplayCurve()), display.gamma);
}

}  // namespace sail
