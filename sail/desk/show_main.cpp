#include <cstdio>
#include <variant>

#include "sail/desk/show_options.h"
#include "sail/desk/still_show.h"

int main(int argc, char** argv) {
  auto parsed = sail::parse_show_options(argc, argv);
  if (const auto* answer = std::get_if<sail::CommandLineAnswer>(&parsed)) return answer->say();
  return sail::StillShow(std::move(std::get<sail::ShowOptions>(parsed))).run();
}
