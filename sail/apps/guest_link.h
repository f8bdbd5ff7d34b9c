// Where a guest's video and sound come from, on a thread of its own: what comes waits here for the
// thread that shows it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sail/apps/guest_chunks.h"
#include "sail/base/mailbox.h"

namespace sail {

class GuestLink {
 public:
  GuestLink() = default;
  virtual ~GuestLink() = default;
  GuestLink(const GuestLink&) = delete;
  GuestLink& operator=(const GuestLink&) = delete;

  // The oldest chunk, waiting at most so long.
  std::optional<QueuedChunk> take(std::chrono::nanoseconds wait) { return chunks_.pop(wait); }
  // Likewise of sound, if there is any.
  std::optional<QueuedSound> take_sound() { return sounds_.pop(); }
  virtual void ask_for_key_frame() = 0;
  // Why it ends, for who sends.
  virtual void say_at_end(std::string reason) = 0;

  static constexpr size_t kMostChunks = 16;  // that wait; as many are half a second
  static constexpr size_t kMostSounds = 50;  // likewise; a second
  enum class State : uint8_t { kWaiting, kOpen, kLeft, kNobodyCame };
  State state() const { return state_; }

 protected:
  // One that is dropped is missed by its number.
  void put_chunk(uint32_t format, const GuestVideo& video, bool key,
                 std::span<const uint8_t> bytes) {
    chunks_.push({.number = ++chunk_,
                  .format = format,
                  .video = video,
                  .key = key,
                  .bytes = {bytes.begin(), bytes.end()}});
  }
  void put_sound(int64_t timestamp_us, std::span<const uint8_t> bytes) {
    sounds_.push({timestamp_us, {bytes.begin(), bytes.end()}});
  }
  void set_state(State state) { state_ = state; }

 private:
  Mailbox<QueuedChunk> chunks_{kMostChunks};
  Mailbox<QueuedSound> sounds_{kMostSounds};
  std::atomic<State> state_ = State::kWaiting;
  uint64_t chunk_ = 0;  // of the thread that puts them
};

}  // namespace sail
