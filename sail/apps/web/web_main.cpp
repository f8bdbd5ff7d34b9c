#include <memory>
#include <utility>

#include "sail/apps/share/desktop_share.h"
#include "sail/apps/share/x11/x11_desktop.h"
#include "sail/apps/web/web_options.h"
#include "sail/apps/web/web_page.h"

int vitrail_web_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_web_options(argc, argv), [](auto options) {
    sail::ShareOptions window = options.window;
    auto page = std::make_unique<sail::WebPage>(std::move(options));
    return sail::DesktopShare("vitrail-web", std::move(window), std::move(page),
                              sail::X11Desktop::open)
        .run();
  });
}
