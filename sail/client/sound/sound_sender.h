// Passes a stream's sound from the application's thread to the receivers that play it, with one
// connection per receiver. Connects with the first sound: most streams have none.
//
// Runs on the loop thread, except wanted(), wall_has_audio() and submit().
#pragma once

#include <sail/sail.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sail/client/sound/sound_connection.h"
#include "sail/client/sync/frame_ledger.h"
#include "sail/core/base/log.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/sound.h"

namespace sail {

// The sound of one message; owns its samples.
struct SoundPiece {
  Sound sound;
  std::vector<uint8_t> samples;
  bool with_picture = false;  // its time is the picture's submission time
};

// Checks the sound that an application submits and cuts it into messages. Pure.
//
// now_ns: wall time. Returns kInvalidParams if an argument is wrong or the sound ends too far in
// the future, kTimeout if all of it is in the past.
Result<std::vector<SoundPiece>> sound_pieces(const sail_audio& given, int64_t now_ns);

class SoundSender {
 public:
  // loop and log must outlive this object.
  SoundSender(Loop& loop, const Log& log) : loop_(loop), log_(log), waiting_(kMostWaiting) {}

  // Returns true if some receiver plays the stream's sound now. Callable from any thread.
  bool wanted() const { return wanted_.load(std::memory_order_relaxed); }
  // Returns true if the wall can play sound. Callable from any thread.
  bool wall_has_audio() const { return wall_has_audio_.load(std::memory_order_relaxed); }
  // Queues a piece. Returns false if an older piece was dropped for it. Callable from any thread.
  bool submit(SoundPiece piece);

  // Called when the manager has opened the stream, with its number and secret.
  void open(const StreamOpened& opened);
  void route(const SoundRoutes& routes);
  // Measures the latency of pictures from submission to the wall.
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
  std::atomic<bool> restart_lost_{false};  // a dropped piece had the restart flag
  Mailbox<SoundPiece> waiting_;

  uint32_t stream_ = 0;  // 0: not open
  uint64_t secret_ = 0;
  bool sounds_ = false;  // sound has been submitted
  std::vector<SoundRoutes::Route> routes_;
  std::vector<std::unique_ptr<SoundConnection>> connections_;
  std::optional<int64_t> latency_ns_;  // average latency of pictures
};

}  // namespace sail
