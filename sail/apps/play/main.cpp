#include "sail/apps/play/bplay.h"

int bplay_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_bplay_options(argc, argv),
                          [](auto options) { return sail::Bplay(std::move(options)).run(); });
}
