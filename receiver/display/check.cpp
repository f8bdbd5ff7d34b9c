#include "receiver/display/check.h"

#include <utility>

#include "codecs/base/cpu.h"
#include "receiver/display/gl_screen.h"
#include "receiver/display/realtime_priority.h"
#include "receiver/display/sdl_windows.h"
#include "receiver/sound/sound_card.h"

namespace receiver {
namespace {

void describe_displays(sail::Json& found) {
  auto windows = SdlWindows::start("doctor");
  if (!windows) {
    found["display_error"] = windows.error().message;
    return;
  }
  found["driver"] = (*windows)->stats().driver;
  found["displays"] = sail::Json::array();
  for (const Output& output : (*windows)->outputs()) {
    found["displays"].push_back({{"output", output.name}, {"rect", sail::rect_json(output.rect)}});
  }
  const auto screen = GlScreen::start(*std::move(windows));
  if (screen) {
    found["renderer"] = (*screen)->renderer();
    found["software"] = is_software_renderer((*screen)->renderer());
  } else {
    found["renderer_error"] = screen.error().message;
  }
}

void describe_sound(sail::Json& found) {
  if (auto names = SoundCard::names()) {
    found["sound"] = *std::move(names);
  } else {
    found["sound_error"] = names.error().message;
  }
}

}  // namespace

sail::Json check_node() {
  sail::Json found = {{"kernels", codecs::cpu_level_name(codecs::detect_cpu())}};
  describe_displays(found);
  describe_sound(found);
  found["realtime"] = RealtimePriority().request().has_value();
  return found;
}

}  // namespace receiver
