#include "tests/unit/receiver/display/gl_test_display.h"

#include <cstdlib>
#include <string_view>

#include "receiver/display/gl_display.h"
#include "receiver/display/gl_screen.h"
#include "tests/unit/receiver/display/test_display.h"

namespace receiver {
namespace {

GlTestDisplay start() {
  const char* decode = std::getenv("VITRAIL_TEST_GL_DECODE");
  GlTestDisplay started{.display = nullptr,
                        .renderer = {},
                        .decode = decode != nullptr && std::string_view(decode) == "s3tc"
                                      ? GlDecode::kS3tc
                                      : GlDecode::kShader};
  auto screen = GlScreen::start(SdlWindows::start("node").value()).value();
  started.renderer = screen->renderer();
  started.display = make_gl_display(std::move(screen), started.decode,
                                    sail::Log("test", sail::LogLevel::kWarning))
                        .value();
  return started;
}

}  // namespace

int GlTestDisplay::tolerance() const {
  return decode == GlDecode::kS3tc && renderer.find("llvmpipe") != std::string::npos ? 1 : 0;
}

GlTestDisplay& gl_test_display() {
  static GlTestDisplay display = start();
  return display;
}

Display& test_display(int) {
  return *gl_test_display().display;
}

}  // namespace receiver
