// Many receivers with displays in memory in one process, for walls too large for one process each.
// They are vitrail-receiver without its command line. Runs until killed.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "receiver/display/window_system.h"
#include "receiver/receiver.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/log.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/socket/tcp.h"

int main(int argc, char** argv) {
  sail::CommandLine line("wall_nodes", "Receivers of a wall that is in memory.");
  std::string manager;
  int first = 1;
  int count = 1;
  line.option("--manager", manager).required();
  line.option("--first", first, "The first of their names is node and this").between(1, 1024);
  line.option("--count", count).between(1, 1024);
  if (const auto answer = line.read(argc, argv)) return answer->say();
  const auto address = sail::parse_address(manager, {});
  if (!address) {
    fmt::print(stderr, "wall_nodes: --manager: {}\n", address.error().message);
    return 1;
  }
  sail::raise_descriptor_limit();
  const sail::Log log("wall_nodes", sail::LogLevel::kWarning);
  std::vector<std::unique_ptr<receiver::Receiver>> receivers;
  std::vector<std::jthread> threads;
  for (int number = first; number < first + count; ++number) {
    receiver::ReceiverOptions options;
    options.name = fmt::format("node{}", number);
    options.manager = *address;
    options.decoder_program.clear();  // a process for each of many receivers
    receivers.push_back(std::make_unique<receiver::Receiver>(
        std::move(options), receiver::make_cpu_display(receiver::make_null_window_system(), 0),
        log));
    threads.emplace_back([&log, one = receivers.back().get()] {
      if (const auto ended = one->run(); !ended) log.error("{}", ended.error().message);
    });
  }
  threads.clear();  // waits for them
  return 1;
}
