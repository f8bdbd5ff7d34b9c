// A film's sound on a thread of its own, which opens, reads and decodes it: a file that is slow
// makes it late and holds up no picture. Whoever plays the film only says where that stands.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "sail/apps/film_sound.h"
#include "sail/base/log.h"
#include "sail/base/mailbox.h"

namespace sail {

// The loudspeakers, which one film at a time has. Any thread.
class Loudspeakers {
 public:
  using Open = std::function<Result<std::unique_ptr<SoundDevice>>()>;
  Loudspeakers(Open open, const Log& log) : open_(std::move(open)), log_(log) {}
  // Opens them when nobody has asked yet; the others wait for that.
  bool exist();
  // Null: another film has them.
  std::unique_ptr<SoundDevice> take();
  void give_back(std::unique_ptr<SoundDevice> device) { free_.push(std::move(device)); }

 private:
  const Open open_;
  const Log& log_;
  std::once_flag tried_;
  std::atomic<bool> exist_{false};
  Mailbox<std::unique_ptr<SoundDevice>> free_{1};
};

class SoundThread {
 public:
  using Open = std::function<Result<std::unique_ptr<MediaSound>>()>;
  // Opens at once. loudspeakers and log outlive this.
  SoundThread(Open open, Loudspeakers& loudspeakers, const Log& log);
  // Waits for the thread.
  ~SoundThread();
  SoundThread(const SoundThread&) = delete;
  SoundThread& operator=(const SoundThread&) = delete;

  // There is something to be heard. Once true it stays so.
  bool audible() const { return audible_; }
  // Often enough: the film is at that place and moves on at its normal speed. volume: 0 to 1. What
  // is live is heard as it comes.
  void follow(int64_t position_ns, double volume);
  // The film stands, or moves at another speed.
  void be_silent();
  // The file is closed and the loudspeakers are given back, as soon as what is under way is done.
  void stop();
  bool ended() const { return ended_; }

 private:
  struct Wish {
    enum class Kind : uint8_t { kSilence, kFollow, kStop } kind = Kind::kSilence;
    int64_t position_ns = 0;
    int64_t at_ns = 0;  // steady time at which the film was there
    double volume = 1;
  };

  void wish(const Wish& wish);
  void run(const Open& open);
  void play(std::unique_ptr<MediaSound> sound);
  void play_live(MediaSound& sound);

  Loudspeakers& loudspeakers_;
  const Log& log_;
  Wish told_;
  std::atomic<bool> audible_{false};
  std::atomic<bool> ended_{false};
  Mailbox<Wish> wishes_{1};  // only the newest counts
  std::thread thread_;
};

}  // namespace sail
