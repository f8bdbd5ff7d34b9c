// Players of films by HTTP, all of one thread: each takes its film as fast as it plays, with half a
// second ahead.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace bench {

class VodPlayers {
 public:
  struct Share {
    double mbit_per_s = 0;  // the film's
    bool best_effort = false;
    double got = 0;  // of it
  };

  explicit VodPlayers(uint16_t port) : port_(port) {}
  ~VodPlayers();
  VodPlayers(const VodPlayers&) = delete;
  VodPlayers& operator=(const VodPlayers&) = delete;

  // Each at another place of its film. False: the server refuses it.
  sail::Result<bool> add(const std::string& film, bool best_effort);
  // From the connection to the first byte of the film: of each, the quickest first.
  std::vector<double> first_byte_ms() const;
  // Plays for that long, and tells what each got.
  std::vector<Share> play(double seconds);
  // Whether what stood in sockets for those that came before there were too many is gone: of best
  // effort all get what they want, or none does.
  bool settled() const;

 private:
  struct Player {
    int socket = -1;
    double bytes_per_s = 0;
    bool best_effort = false;
    int64_t begun_ns = 0;
    double first_byte_ms = 0;
    bool wants = false;  // more than there was
    double got = 0;      // bytes
    double then = 0;     // got, when play() began
  };
  static void take(Player& player, int64_t now_ns);

  const uint16_t port_;
  std::vector<Player> players_;
};

}  // namespace bench
