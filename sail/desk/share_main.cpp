#include <memory>
#include <utility>

#include "sail/desk/desktop_share.h"

int main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_share_options(argc, argv), [](auto options) {
    std::unique_ptr<sail::ScreenProgram> own;
    if (!options.command.empty()) own = std::make_unique<sail::ScreenCommand>(options.command);
    return sail::DesktopShare("vitrail-share", std::move(options), std::move(own)).run();
  });
}
