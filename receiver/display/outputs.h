// The outputs of the node: its connected displays, by the names that wall files use for them.
//
// SDL has no names of outputs: on X it reports model and size of a display, on Wayland a
// description, on the console (KMS) a number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"

namespace receiver {

struct Output {
  std::string name;
  sail::Rect rect;  // on the desktop

  bool operator==(const Output&) const = default;
};

// An output as reported by X, the Wayland compositor or the kernel.
struct ReportedOutput {
  std::string name;
  std::vector<std::string> descriptions{};  // SDL may use one of these as the display's name
  sail::Rect rect{};                        // X only

  bool operator==(const ReportedOutput&) const = default;
};

// Asks the display server or the kernel. driver: SDL's video driver. Returns an empty list for
// drivers that do not show anything, and if nobody answers. Any thread; may take long.
std::vector<ReportedOutput> reported_outputs(std::string_view driver);

// Names SDL's displays, which have SDL's names: by description if that is unambiguous, else by
// place in the list. If the lists have different lengths, the displays get numbers. Pure.
std::vector<Output> name_displays(std::vector<Output> displays,
                                  const std::vector<ReportedOutput>& reported);

// "HDMI-A-1, DP-1", or "none".
std::string output_names(const std::vector<Output>& outputs);

}  // namespace receiver
