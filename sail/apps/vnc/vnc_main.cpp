#include "sail/apps/vnc/vnc_show.h"

int vitrail_vnc_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_vnc_options(argc, argv), [](auto options) {
    return sail::VncShow(std::forward<decltype(options)>(options)).run();
  });
}
