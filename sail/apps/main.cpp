#include <cstdio>
#include <variant>

#include "sail/apps/bplay.h"
#include "sail/apps/options.h"

int main(int argc, char** argv) {
  auto parsed = sail::parse_bplay_options(argc, argv);
  if (const auto* answer = std::get_if<sail::CommandLineAnswer>(&parsed)) return answer->say();
  return sail::Bplay(std::move(std::get<sail::BplayOptions>(parsed))).run();
}
