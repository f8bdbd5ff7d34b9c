#include "receiver/display.h"

#include <utility>

#include "receiver/cpu_display.h"
#include "receiver/gl_display.h"
#include "receiver/gl_screen.h"
#include "receiver/presenter.h"

namespace receiver {
namespace {

using Made = sail::Result<std::unique_ptr<Display>>;

// A software renderer gains nothing from S3TC textures, and Mesa's llvmpipe decodes them with
// errors of one level.
Made make_gl(const DisplayOptions& options, const sail::Log& log) {
  auto screen = GlScreen::start(options.node);
  if (!screen) return tl::make_unexpected(std::move(screen.error()));
  const std::string renderer = (*screen)->renderer();
  const bool software = is_software_renderer(renderer);
  if (software && options.kind == DisplayKind::kAuto) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      fmt::format("the OpenGL renderer is software: {}", renderer));
  }
  auto display =
      make_gl_display(*std::move(screen), software ? GlDecode::kShader : GlDecode::kS3tc, log);
  if (!display) return display;
  if (software) {
    log.warning("display: gl, painted by the CPU all the same: {} (--display=cpu is faster)",
                renderer);
  } else {
    log.info("display: gl, {}", renderer);
  }
  return display;
}

Made make_cpu(const DisplayOptions& options, const sail::Log& log) {
  auto presenter = make_sdl_presenter(options.node, log);
  if (!presenter) return tl::make_unexpected(std::move(presenter.error()));
  return make_cpu_display(*std::move(presenter), options.threads);
}

}  // namespace

Made make_display(const DisplayOptions& options, const sail::Log& log) {
  if (options.kind == DisplayKind::kNull) {
    return make_cpu_display(make_null_presenter(), options.threads);
  }
  if (options.kind == DisplayKind::kGl) return make_gl(options, log);
  if (options.kind == DisplayKind::kCpu) return make_cpu(options, log);

  auto gl = make_gl(options, log);
  if (gl) return gl;
  auto cpu = make_cpu(options, log);
  if (cpu) {
    log.info("display: cpu, {}", gl.error().message);
    return cpu;
  }
  log.warning(
      "display: null, {}; the tiles are kept in memory only (--display=null says so without a "
      "warning)",
      cpu.error().message);
  return make_cpu_display(make_null_presenter(), options.threads);
}

}  // namespace receiver
