#include "sail/desk/desktop_share.h"

int main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_share_options(argc, argv), [](auto options) {
    return sail::DesktopShare(std::move(options)).run();
  });
}
