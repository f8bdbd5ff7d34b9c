// What opens a window of one wall on another wall: requests to the other manager. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace ui {

// A request about the new window; the caller adds "window".
struct WindowRequest {
  std::string verb;
  sail::Json params;

  bool operator==(const WindowRequest&) const = default;
};

struct CopiedWindow {
  sail::Json play;                    // parameters of "play"
  std::vector<WindowRequest> then{};  // in this order
};

// window: of the answer of "session_get". from, to: sizes of the two walls; the place is kept as
// fractions of them. kConflict, with the reason: the other wall cannot open the window.
sail::Result<CopiedWindow> copied_window(const sail::Json& window, sail::Size from, sail::Size to);
// Removes the windows that another wall cannot open from an answer of "session_get", and what only
// this wall knows from the others. Returns a sentence about each window that is removed.
std::vector<std::string> make_portable(sail::Json& session);

}  // namespace ui
