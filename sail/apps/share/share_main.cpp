#include <cstdlib>
#include <memory>
#include <utility>

#include "sail/apps/share/desktop_share.h"
#include "sail/apps/share/portal/portal_desktop.h"
#include "sail/apps/share/x11/x11_desktop.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/log.h"

namespace {

constexpr const char* kName = "vitrail-share";

int list_windows(const sail::ShareOptions& options) {
  const auto listed = sail::X11Desktop::list_windows(options.display);
  if (listed) return EXIT_SUCCESS;
  sail::Log(kName, options.log_level).error("{}", listed.error().message);
  return EXIT_FAILURE;
}

// Options that only X11 supports select X11.
bool is_of_portal(const sail::ShareOptions& options) {
  return options.command.empty() && options.display.empty() && options.window.empty() &&
         !sail::environment("WAYLAND_DISPLAY").empty();
}

}  // namespace

int vitrail_share_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_share_options(argc, argv), [](auto options) {
    if (options.list) return list_windows(options);
    std::unique_ptr<sail::ScreenProgram> own;
    if (!options.command.empty()) own = std::make_unique<sail::ScreenCommand>(options.command);
    const sail::OpenDesktop open =
        is_of_portal(options) ? sail::PortalDesktop::open : sail::X11Desktop::open;
    return sail::DesktopShare(kName, std::move(options), std::move(own), open).run();
  });
}
