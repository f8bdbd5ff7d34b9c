#include "sail/apps/share/x11/x11_desktop.h"

#include <fmt/core.h>

#include <utility>

#include "sail/apps/desktop/wall_input.h"

namespace sail {

Result<std::unique_ptr<Desktop>> X11Desktop::open(const ShareOptions& options,
                                                  const std::function<bool()>& /*stopped*/) {
  auto x11 = X11Connection::open(options.display);
  if (!x11) return x11.error();
  std::unique_ptr<X11Desktop> desktop(new X11Desktop(std::move(*x11)));
  if (auto begun = desktop->begin(options); !begun) return begun.error();
  return desktop;
}

Result<void> X11Desktop::list_windows(const std::string& display) {
  const auto x11 = X11Connection::open(display);
  if (!x11) return x11.error();
  for (const X11Window& window : (*x11)->windows()) {
    fmt::print("{:#010x}  {}x{}  {}\n", window.id, window.size.width, window.size.height,
               window.title);
  }
  return {};
}

Result<void> X11Desktop::begin(const ShareOptions& options) {
  if (options.control) {
    auto input = X11Input::open(options.display);
    if (!input) return input.error();
    input_ = std::move(*input);
  }
  X11Capture::Target target{.window = std::nullopt, .region = options.region};
  if (!options.window.empty()) {
    auto found = x11_->find_window(options.window);
    if (!found) return found.error();
    target.window = found->id;
    window_title_ = found->title;
  }
  auto capture = X11Capture::start(*x11_, target);
  if (!capture) return capture.error();
  capture_ = std::move(*capture);
  if (options.cursor && x11_->extensions().fixes) cursor_.emplace(*x11_, capture_->window());
  hides_cursor_ = options.hides_cursor;
  return {};
}

Result<bool> X11Desktop::pump() {
  while (const auto event = x11_->poll()) {
    capture_->obey(*event);
    if (cursor_) cursor_->obey(*event);
  }
  if (x11_->lost()) return fail(ErrorCode::kUnavailable, "lost the connection to the X server");
  return !capture_->window_lost();
}

bool X11Desktop::update() {
  bool changed = capture_->update() || std::exchange(cursor_appears_, false);
  if (cursor_) {
    const Size size = capture_->frame_size();
    changed |= cursor_->update({capture_->left(), capture_->top(), size.width, size.height});
  }
  return changed;
}

sail_status X11Desktop::submit_to(WallWindow& window) {
  const FramePixels frame = capture_->frame();
  const bool cursor = cursor_ && !hides_cursor_ && cursor_->position();
  if (cursor) {
    overlay_.draw(frame, cursor_->picture(), cursor_->position()->x, cursor_->position()->y);
  }
  const sail_status status = window.submit(frame.pixels, frame.stride);
  if (cursor) overlay_.restore(frame);
  return status;
}

bool X11Desktop::obey(const sail_input& input) {
  if (hides_cursor_ && input.has_point != 0) {
    hides_cursor_ = false;
    cursor_appears_ = true;  // the cursor is drawn even if it has not moved
  }
  input_->aim_at(capture_->window(), capture_->left(), capture_->top());
  return bring_to(*input_, input, capture_->frame_size());
}

}  // namespace sail
