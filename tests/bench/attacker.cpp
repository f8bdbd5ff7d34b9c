// Works against a wall until it is ended: the other side of scripts/bench hostile, in a process of
// its own.
#include <fmt/core.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>

#include "tests/bench/attacks.h"

namespace {

constexpr int kMostAddresses = 200;

void take_all_descriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Works against a wall on this host until it is ended.", "attacker");
  bench::AttackTarget target;
  std::string name;
  app.add_option("attack", name)->required();
  app.add_option("--manager-port", target.manager_port)->required();
  app.add_option("--data-ports", target.data_ports)->delimiter(',')->required();
  app.add_option("--seconds", target.seconds, "What is counted is spread over so many");
  app.add_option("--addresses", target.addresses)->check(CLI::Range(1, kMostAddresses));
  CLI11_PARSE(app, argc, argv);
  const bench::NamedAttack* attack = bench::attack_named(name);
  if (attack == nullptr) {
    fmt::print(stderr, "attacker: there is no attack '{}'\n", name);
    return 2;
  }
  take_all_descriptors();
  attack->run(target);
  return 0;
}
