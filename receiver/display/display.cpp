#include "receiver/display/display.h"

#include <utility>

#include "receiver/display/awaited_display.h"
#include "receiver/display/gl_display.h"
#include "receiver/display/gl_screen.h"
#include "receiver/display/sdl_windows.h"
#include "receiver/display/window_system.h"

namespace receiver {
namespace {

using Made = sail::Result<std::unique_ptr<Display>>;

// Software renderers gain nothing from S3TC textures, and Mesa's llvmpipe decodes them with errors
// of one level. For them, the shader decodes.
Made make_gl(const DisplayOptions& options, std::shared_ptr<SdlWindows> windows,
             const sail::Log& log) {
  auto screen = GlScreen::start(std::move(windows));
  if (!screen) return std::move(screen.error());
  if (options.swap_group) (*screen)->want_swap_group(log);
  const std::string renderer = (*screen)->renderer();
  const bool software = is_software_renderer(renderer);
  if (software && options.kind == DisplayKind::kAuto) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      fmt::format("OpenGL is rendered in software: {}", renderer));
  }
  auto display =
      make_gl_display(*std::move(screen), software ? GlDecode::kShader : GlDecode::kS3tc, log);
  if (!display) return display;
  if (software) {
    log.warning("display: gl, but rendered by the CPU: {} (--display=cpu is faster)", renderer);
  } else {
    log.info("display: gl, {}", renderer);
  }
  return display;
}

std::unique_ptr<Display> make_in_memory(const DisplayOptions& options) {
  return make_cpu_display(
      make_null_window_system({options.simulated_hz, options.simulated_phase_ns}), options.threads);
}

// Both attempts share one SDL connection: an X server resets when its last client disconnects, and
// refuses connections meanwhile.
Made make_on_screen(const DisplayOptions& options, std::shared_ptr<SdlWindows> windows,
                    const sail::Log& log) {
  if (options.kind != DisplayKind::kCpu) {
    auto gl = make_gl(options, windows, log);
    if (gl || options.kind == DisplayKind::kGl) return gl;
    log.info("display: cpu, {}", gl.error().message);
  }
  return make_cpu_display(make_sdl_window_system(std::move(windows), log), options.threads);
}

Made start_on_screen(const DisplayOptions& options, const sail::Log& log) {
  auto windows = SdlWindows::start(options.node);
  if (!windows) return std::move(windows.error());
  return make_on_screen(options, *std::move(windows), log);
}

// display: null if it has not answered, because of `trouble`.
std::unique_ptr<Display> make_awaited(const DisplayOptions& options,
                                      std::unique_ptr<Display> display, const std::string& trouble,
                                      const sail::Log& log) {
  return std::make_unique<AwaitedDisplay>(
      AwaitedDisplay::Parts{.make_memory = [options] { return make_in_memory(options); },
                            .make = [options, log] { return start_on_screen(options, log); },
                            .display = std::move(display),
                            .trouble = trouble},
      log);
}

}  // namespace

Made make_display(const DisplayOptions& options, const sail::Log& log) {
  if (options.kind == DisplayKind::kNull) return make_in_memory(options);
  auto windows = SdlWindows::start(options.node);
  if (windows) {
    auto display = make_on_screen(options, *std::move(windows), log);
    if (!display) return display;
    return make_awaited(options, *std::move(display), "", log);
  }
  if (SdlWindows::requested()) {
    log.warning("{}; the tiles are kept in memory, and the display is tried again every second",
                windows.error().message);
    return make_awaited(options, nullptr, windows.error().message, log);
  }
  if (options.kind != DisplayKind::kAuto) return std::move(windows.error());
  log.warning(
      "display: null, {}; the tiles are kept in memory only (--display=null avoids this warning)",
      windows.error().message);
  return make_in_memory(options);
}

}  // namespace receiver
