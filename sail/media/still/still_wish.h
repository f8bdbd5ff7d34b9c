// What programs want of a still, and its pixels. Needs no libvips.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "codecs/color/color_transform.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"

namespace sail {

// The samples that are shown as black and as white.
struct SampleRange {
  double black = 0;
  double white = 0;
};

struct StillWish {
  std::optional<Size> size = {};  // scales to this size
  bool keep_alpha = false;        // false: blended over black
  bool deep = false;              // keeps 16 bits, without opacity, if no colours are converted
  bool complete = false;          // refuses damaged pictures
  codecs::DisplayColor display = {};
  // The range of the film's first picture, so that a film does not flicker.
  std::optional<SampleRange> range = {};
};

struct StillOptions {
  int threads = 0;  // threads of libvips; 0: one per core, at most four. The process's first still
                    // decides
  StillWish wish = {};
  const Log* log = nullptr;  // receives libvips' messages at debug level; must outlive the source
};

struct StillPixels {
  Size size;
  int bands = 3;  // red, green, blue; 4: opacity, too
  int bits = 8;   // or 16, in the processor's byte order
  // Rows without padding, with the function that frees them.
  std::unique_ptr<uint8_t, void (*)(void*)> samples{nullptr, nullptr};
  std::optional<SampleRange> range;
  std::string notice;  // notice for the user; empty: none

  size_t row_bytes() const {
    return static_cast<size_t>(size.width) * static_cast<size_t>(bands) *
           static_cast<size_t>(bits / 8);
  }
};

}  // namespace sail
