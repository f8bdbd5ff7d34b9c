// What a person does in a window's application, as the calls of the verb "input" that make it up.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/wire/json.h"

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
// Notches to the right and downwards.
std::vector<sail::Json> wheel_steps(int window, const InputPlace& at, double dx, double dy);
std::vector<sail::Json> pinch_steps(int window, const InputPlace& at, double scale);
// "Escape", "a", "Control+Shift+ArrowLeft". kInvalidParams for what is none.
sail::Result<std::vector<sail::Json>> key_steps(int window, const std::string& chord);
// Each character as a key.
sail::Result<std::vector<sail::Json>> text_steps(int window, const std::string& text);

}  // namespace ui
