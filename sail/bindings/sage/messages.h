// Converts a user's input on a window to SAGE's messages, and queues messages for the program.
#pragma once

#include <sail/sail.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "sail/bindings/sage/include/sage.h"

namespace vitrail {

// Tracks each user's pressed button and where it was pressed. Not thread-safe.
class InputWords {
 public:
  // Size of the frames, in pixels.
  InputWords(int width, int height) : width_(width), height_(height) {}

  // Empty optional: SAGE has no message for this input.
  std::optional<sageMessage> message_of(const sail_input& input);

 private:
  struct Pointer {
    float x = 0, y = 0;  // fractions from the lower left corner
    float from_x = 0, from_y = 0;
    int button = 0;     // the pressed button, in SAGE's numbering; 0: none
    int32_t touch = 0;  // the finger that acts as the button
  };

  std::optional<sageMessage> click(const sail_input& input, Pointer& pointer, int button,
                                   bool down);
  sageMessage move(const sail_input& input, Pointer& pointer);
  void place(const sail_input& input, Pointer& pointer) const;

  const int width_;
  const int height_;
  std::unordered_map<uint32_t, Pointer> pointers_;
};

// Messages that wait for the program. Thread-safe.
class MessageQueue {
 public:
  // Merges consecutive moves. If the program does not read, the newest messages are discarded.
  void push(sageMessage message);
  // Queues APP_QUIT before all other messages.
  void push_quit();
  // Returns false if there is no message. wait: blocks until a message arrives, or close().
  bool pop(sageMessage& message, bool wait);
  // Wakes and ends all waiting pop() calls.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<sageMessage> messages_;
  bool closed_ = false;
};

}  // namespace vitrail
