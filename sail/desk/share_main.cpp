#include <cstdio>
#include <variant>

#include "sail/desk/desktop_share.h"
#include "sail/desk/share_options.h"

int main(int argc, char** argv) {
  auto parsed = sail::parse_share_options(argc, argv);
  if (const auto* answer = std::get_if<sail::CommandLineAnswer>(&parsed)) return answer->say();
  return sail::DesktopShare(std::move(std::get<sail::ShareOptions>(parsed))).run();
}
