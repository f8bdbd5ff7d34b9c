// Converts user input, such as a click or a drag, to parameters for calls of the verb "input".
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace ui {

struct InputPlace {
  double x = 0;  // wall pixels
  double y = 0;
};

// button: 0 left, 1 middle, 2 right.
std::vector<sail::Json> click_steps(int window, const InputPlace& at, int button, int times);
std::vector<sail::Json> drag_steps(int window, const InputPlace& from, const InputPlace& to,
                                   int button);
std::vector<sail::Json> move_steps(int window, const InputPlace& to);
// dx and dy are wheel notches to the right and downwards.
std::vector<sail::Json> wheel_steps(int window, const InputPlace& at, double dx, double dy);
std::vector<sail::Json> pinch_steps(int window, const InputPlace& at, double scale);
// chord: "Escape", "a" or "Control+Shift+ArrowLeft". kInvalidParams: unknown modifier or key.
sail::Result<std::vector<sail::Json>> key_steps(int window, const std::string& chord);
// Sends each character as a key. kInvalidParams: not plain UTF-8 text.
sail::Result<std::vector<sail::Json>> text_steps(int window, const std::string& text);

}  // namespace ui
