// The sound output of a program on its own screen: a private PulseAudio server that mixes all sound
// and writes it to a pipe in real time. Nothing is played on this machine. One thread. Sets
// $PULSE_SERVER, so create it before other threads start.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "sail/apps/desktop/child_process.h"
#include "sail/apps/program/even_times.h"
#include "sail/apps/program/wall_window.h"
#include "sail/core/base/result.h"

namespace sail {

class PrivatePulse {
 public:
  // Returns when the server accepts clients. kNotFound: PulseAudio is not installed; kUnavailable:
  // it does not start within 10 s. $PULSE_SERVER is set even on failure.
  static Result<std::unique_ptr<PrivatePulse>> start();
  ~PrivatePulse();
  PrivatePulse(const PrivatePulse&) = delete;
  PrivatePulse& operator=(const PrivatePulse&) = delete;

  // Submits the sound since the last call. Call regularly, at least every kPauseNs while there is
  // sound; more than a third of a second does not fit into the pipe and is lost. Returns true if
  // sound was submitted.
  bool play(WallWindow& window);
  static constexpr int64_t kPauseNs = 20'000'000;
  // Returns true if the server has ended.
  bool ended() { return server_->exit_code().has_value(); }

 private:
  static constexpr int kRate = 48000;
  static constexpr int kChannels = 2;
  static constexpr size_t kPipeBytes = size_t{64} << 10;

  explicit PrivatePulse(ScratchFolder folder) : folder_(std::move(folder)) {}
  Result<void> start_server();
  Result<void> wait_for_server(const std::string& socket);

  const ScratchFolder folder_;
  std::unique_ptr<ChildProcess> server_;
  int pipe_ = -1;
  int64_t played_ = 0;  // samples per channel, including silence
  EvenTimes times_;
  std::array<int16_t, kPipeBytes / sizeof(int16_t)> samples_{};
};

}  // namespace sail
