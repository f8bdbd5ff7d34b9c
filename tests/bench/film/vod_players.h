// Players of films over HTTP in one thread: each reads its film at its rate, with half a second of
// read-ahead.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace bench {

class VodPlayers {
 public:
  struct Share {
    double mbit_per_s = 0;  // the film's rate
    bool best_effort = false;
    double got = 0;  // share of it received
  };

  explicit VodPlayers(uint16_t port) : port_(port) {}
  ~VodPlayers();
  VodPlayers(const VodPlayers&) = delete;
  VodPlayers& operator=(const VodPlayers&) = delete;

  // Adds a player at another position of the film. Returns false if the server refuses it.
  sail::Result<bool> add(const std::string& film, bool best_effort);
  // Times from the connection to the first byte of the film, sorted.
  std::vector<double> first_byte_ms() const;
  // Plays for this time. Returns what each player got.
  std::vector<Share> play(double seconds);
  // Returns true if data buffered in sockets before the overload is used up: then all best-effort
  // players get their full rate, or none does.
  bool settled() const;

 private:
  struct Player {
    int socket = -1;
    double bytes_per_s = 0;
    bool best_effort = false;
    int64_t begun_ns = 0;
    double first_byte_ms = 0;
    bool wants = false;  // was short of data
    double got = 0;      // bytes
    double then = 0;     // `got` at the start of play()
  };
  static void take(Player& player, int64_t now_ns);

  const uint16_t port_;
  std::vector<Player> players_;
};

}  // namespace bench
