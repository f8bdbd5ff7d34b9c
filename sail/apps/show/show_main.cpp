#include "sail/apps/show/still_show.h"

int vitrail_show_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_show_options(argc, argv),
                          [](auto options) { return sail::StillShow(std::move(options)).run(); });
}
