// Moves a film's window and measures the time until the tiles show it at its new place.
// Single-threaded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/sail.hpp"

namespace bench {

class MovedFilm {
 public:
  static sail::Result<std::unique_ptr<MovedFilm>> open(const std::string& manager,
                                                       sail::RpcClient& client);

  // Plays for this time and moves the window several times a second.
  sail::Result<void> play_for(double seconds);
  // From the command until the last tile has swapped to the first frame submitted after the
  // application learned of the new place. This is up to a frame longer than until the window is
  // there, because the frame before is shown at the new place, too.
  const std::vector<double>& command_to_pixel_ms() const { return command_to_pixel_ms_; }

 private:
  struct Move {
    int64_t sent_ns = 0;
    int x = 0;
    uint64_t frame = 0;  // the first frame at the new place; 0: none yet
  };
  MovedFilm(std::string manager, sail::RpcClient& client);
  sail::Result<void> start();
  sail::Result<void> move();
  void submit();
  void attend(int64_t until_ns);

  const std::string manager_;
  sail::RpcClient& client_;
  std::optional<sail::Session> session_;
  sail::Stream stream_;
  std::vector<uint8_t> pixels_;
  std::optional<Move> move_;
  bool there_ = false;  // the application knows the new place
  int next_x_ = 0;
  std::vector<double> command_to_pixel_ms_;
};

}  // namespace bench
