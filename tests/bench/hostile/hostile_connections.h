// Connections of attackers from different addresses to ports of this host. Ignores connections and
// data that fail: the attack continues.
#pragma once

#include <poll.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// Starts a non-blocking connection from 127.0.66.address. Returns its descriptor; -1: none left.
int connect_from(uint8_t address, uint16_t port);

// Keeps many connections open and reads nothing from them.
class HostileConnections {
 public:
  struct Plan {
    std::vector<uint16_t> ports;  // used in turn
    size_t count = 0;
    double opened_per_second = 0;  // maximum rate
    bool renewed = false;          // reconnect after being disconnected
    int addresses = 1;             // number of source addresses
  };
  explicit HostileConnections(Plan plan);
  ~HostileConnections();
  HostileConnections(const HostileConnections&) = delete;
  HostileConnections& operator=(const HostileConnections&) = delete;

  // Opens connections that are due and drops closed ones. Returns those that have just connected.
  std::vector<int> turn();

 private:
  void open_one(size_t index);

  const Plan plan_;
  std::vector<pollfd> connections_;
  std::vector<bool> connected_;
  size_t opened_ = 0;
  int64_t begun_ns_;
};

// A client that waits for answers.
class Talker {
 public:
  Talker(uint8_t address, uint16_t port);
  ~Talker();
  Talker(const Talker&) = delete;
  Talker& operator=(const Talker&) = delete;

  // Sends everything, blocking. Returns false if the session is over.
  bool send(std::string_view text);
  bool read_line();

 private:
  int descriptor_;
};

}  // namespace bench
