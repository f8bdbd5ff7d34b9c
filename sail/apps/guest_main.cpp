#include "sail/apps/guest_show.h"

int main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_guest_options(argc, argv), [](auto options) {
    return sail::GuestShow(std::forward<decltype(options)>(options)).run();
  });
}
