// Connections of people who mean no good, from addresses of their own, to ports of this host. What
// cannot be opened or sent is left: an attack goes on.
#pragma once

#include <poll.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// A descriptor of a connection attempt that does not block, from 127.0.66.address; -1: none left.
int connect_from(uint8_t address, uint16_t port);

// Keeps many connections open and reads nothing from them.
class HostileConnections {
 public:
  struct Plan {
    std::vector<uint16_t> ports;  // in turn
    size_t count = 0;
    double opened_per_second = 0;  // at most
    bool renewed = false;          // whoever is thrown out comes again
    int addresses = 1;             // that they come from
  };
  explicit HostileConnections(Plan plan);
  ~HostileConnections();
  HostileConnections(const HostileConnections&) = delete;
  HostileConnections& operator=(const HostileConnections&) = delete;

  // Opens what is due and gives up what was closed. Gives those that have just been connected.
  std::vector<int> turn();

 private:
  void open_one(size_t index);

  const Plan plan_;
  std::vector<pollfd> connections_;
  std::vector<bool> connected_;
  size_t opened_ = 0;
  int64_t begun_ns_;
};

// One who waits for answers.
class Talker {
 public:
  Talker(uint8_t address, uint16_t port);
  ~Talker();
  Talker(const Talker&) = delete;
  Talker& operator=(const Talker&) = delete;

  // All of it, however long that takes; false: the session is over.
  bool send(std::string_view text);
  bool read_line();

 private:
  int descriptor_;
};

}  // namespace bench
