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

Made make_in_memory(const DisplayOptions& options) {
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

Made make_awaited(const DisplayOptions& options, const sail::Error& error, const sail::Log& log) {
  log.warning("{}; the tiles are kept in memory, and the display is tried again every second",
              error.message);
  const auto make = [options, log]() -> Made {
    auto windows = SdlWindows::start(options.node);
    if (!windows) return std::move(windows.error());
    return make_on_screen(options, *std::move(windows), log);
  };
  return std::make_unique<AwaitedDisplay>(
      AwaitedDisplay::Parts{
          .memory = *make_in_memory(options), .make = make, .trouble = error.message},
      log);
}

}  // namespace

Made make_display(const DisplayOptions& options, const sail::Log& log) {
  if (options.kind == DisplayKind::kNull) return make_in_memory(options);
  auto windows = SdlWindows::start(options.node);
  if (windows) return make_on_screen(options, *std::move(windows), log);
  if (SdlWindows::requested()) return make_awaited(options, windows.error(), log);
  if (options.kind != DisplayKind::kAuto) return std::move(windows.error());
  log.warning(
      "display: null, {}; the tiles are kept in memory only (--display=null avoids this warning)",
      windows.error().message);
  return make_in_memory(options);
}

}  // namespace receiver
