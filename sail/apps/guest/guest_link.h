// Receives a guest's video and sound on its own thread. Queues them for the thread that shows them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sail/apps/guest/guest_chunks.h"
#include "sail/core/base/mailbox.h"

namespace sail {

class GuestLink {
 public:
  GuestLink() = default;
  virtual ~GuestLink() = default;
  GuestLink(const GuestLink&) = delete;
  GuestLink& operator=(const GuestLink&) = delete;

  // Returns the oldest chunk, waiting at most `wait`.
  std::optional<QueuedChunk> take(std::chrono::nanoseconds wait) { return chunks_.pop(wait); }
  // Returns the oldest sound packet, if there is one.
  std::optional<QueuedSound> take_sound() { return sounds_.pop(); }
  virtual void ask_for_key_frame() = 0;
  // Sets the reason for the end that the sender gets.
  virtual void set_close_reason(std::string reason) = 0;

  static constexpr size_t kMostChunks = 16;  // queue length, about half a second
  static constexpr size_t kMostSounds = 50;  // queue length, one second
  enum class State : uint8_t { kWaiting, kOpen, kLeft, kNobodyCame };
  State state() const { return state_; }

 protected:
  // A dropped chunk leaves a gap in the numbers.
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
  uint64_t chunk_ = 0;  // used only by the receiving thread
};

}  // namespace sail
