// The way of a stream's sound from the application's thread to the receivers that play it, each on
// a connection of its own. These are made when the first sound is submitted: most streams have
// none.
//
// Thread: the loop's, except wanted(), wall_has_audio() and submit().
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/mailbox.h"
#include "sail/client/frame_ledger.h"
#include "sail/client/sound_connection.h"
#include "sail/net/loop.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/sound.h"

namespace sail {

// A message's worth of samples, which are its own.
struct SoundPiece {
  Sound sound;
  std::vector<uint8_t> samples;
  bool with_picture = false;  // its time is when the picture is submitted
};

class SoundSender {
 public:
  // loop and log outlive this.
  SoundSender(Loop& loop, const Log& log) : loop_(loop), log_(log), waiting_(kMostWaiting) {}

  // Any thread. Somebody plays it now.
  bool wanted() const { return wanted_.load(std::memory_order_relaxed); }
  // Any thread. The wall would, if people wished so.
  bool wall_has_audio() const { return wall_has_audio_.load(std::memory_order_relaxed); }
  // Any thread. False: something that waited was left out for it.
  bool submit(SoundPiece piece);

  // The manager opened the stream, under this number.
  void open(const StreamOpened& opened);
  void route(const SoundRoutes& routes);
  // Frames tell how long pictures take to the wall.
  void frame_done(const FrameFate& fate);
  void close();

 private:
  static constexpr size_t kMostWaiting = 256;

  void send_waiting();
  void make_connections();

  Loop& loop_;
  const Log& log_;
  std::atomic<bool> wanted_{false};
  std::atomic<bool> wall_has_audio_{false};
  std::atomic<bool> restart_lost_{false};  // of a piece that was left out
  Mailbox<SoundPiece> waiting_;

  uint32_t stream_ = 0;  // 0: not open
  uint64_t secret_ = 0;
  bool sounds_ = false;  // something was submitted
  std::vector<SoundRoutes::Route> routes_;
  std::vector<std::unique_ptr<SoundConnection>> connections_;
  std::optional<int64_t> latency_ns_;  // of pictures, lately
};

}  // namespace sail
