// Attacks a wall until it is killed: the attacker's process of scripts/bench hostile.
#include <fmt/core.h>
#include <sys/resource.h>

#include "sail/core/command_line/command_line.h"
#include "tests/bench/hostile/attacks.h"

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
  sail::CommandLine line("attacker", "Works against a wall on this host until it is ended.");
  bench::AttackTarget target;
  std::string name;
  line.option("attack", name).required();
  line.option("--manager-port", target.manager_port).required();
  line.option("--data-ports", target.data_ports).required();
  line.option("--seconds", target.seconds, "What is counted is spread over so many");
  line.option("--addresses", target.addresses).between(1, kMostAddresses);
  if (const auto answer = line.read(argc, argv)) return answer->say();
  const bench::NamedAttack* attack = bench::attack_named(name);
  if (attack == nullptr) {
    fmt::print(stderr, "attacker: there is no attack '{}'\n", name);
    return 2;
  }
  take_all_descriptors();
  attack->run(target);
  return 0;
}
