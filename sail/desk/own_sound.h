// Where a program on a screen of its own plays its sound: a PulseAudio server of ours, which mixes
// all of it and writes it to a pipe as it is due. None of it reaches this machine's loudspeakers.
// One thread; it sets $PULSE_SERVER, so before others start.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "sail/base/result.h"
#include "sail/desk/child_process.h"
#include "sail/desk/scratch_folder.h"
#include "sail/program/even_times.h"
#include "sail/program/wall_window.h"

namespace sail {

class OwnSound {
 public:
  // Returns when the server takes clients. kNotFound: PulseAudio is not installed; kUnavailable: it
  // does not start within 10 s. Programs are led to it all the same, and find nobody.
  static Result<std::unique_ptr<OwnSound>> start();
  ~OwnSound();
  OwnSound(const OwnSound&) = delete;
  OwnSound& operator=(const OwnSound&) = delete;

  // Submits what was played since. To be called again and again, with pauses of kPauseNs at most
  // while anything is heard; what waits longer than a third of a second is lost. True: it is.
  bool play(WallWindow& window);
  static constexpr int64_t kPauseNs = 20'000'000;
  // The server, and the sound with it.
  bool ended() { return server_->exit_code().has_value(); }

 private:
  static constexpr int kRate = 48000;
  static constexpr int kChannels = 2;
  static constexpr size_t kPipeBytes = size_t{64} << 10;

  explicit OwnSound(ScratchFolder folder) : folder_(std::move(folder)) {}
  Result<void> start_server();
  Result<void> wait_for_server(const std::string& socket);

  const ScratchFolder folder_;
  std::unique_ptr<ChildProcess> server_;
  int pipe_ = -1;
  int64_t played_ = 0;  // of each channel, silence too
  EvenTimes times_;
  std::array<int16_t, kPipeBytes / sizeof(int16_t)> samples_{};
};

}  // namespace sail
