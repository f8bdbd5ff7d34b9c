// Estimates what libass has to draw for a subtitle of ASS. Without limits, a line of markup can
// take minutes and gigabytes. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sail/core/base/geometry.h"

namespace sail {

// The picture for which a script is written, and the largest values of its styles.
struct MarkupScript {
  Size size;  // script pixels
  double font_size = 0;
  double scale_x = 1;
  double scale_y = 1;
  double border = 0;  // outline and shadow
};

struct SubtitleMarkup {
  size_t characters = 0;
  // Area of all letters and drawings with their borders, in pictures: an upper bound, except for
  // letters that are turned in space.
  double ink = 0;
  bool excessive = false;  // exceeds the limits of a subtitle
  std::string plain;       // only text, cut to the limits of a subtitle
};

// text: the last field of an event.
SubtitleMarkup read_markup(std::string_view text, const MarkupScript& script);

constexpr size_t kMostCharacters = 4000;
constexpr size_t kMostPlainCharacters = 500;
constexpr size_t kMostTags = 4000;
constexpr size_t kMostTransforms = 200;
constexpr size_t kMostMarkupBytes = 32 << 10;  // of tags and drawings
constexpr double kMostInk = 16;

}  // namespace sail
