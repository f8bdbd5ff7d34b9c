// What people do over a window, in the words of SAGE's messages, and those that wait for a program.
#pragma once

#include <sail/sail.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "sail/sage/include/sage.h"

namespace vitrail {

// Remembers what each person holds and where that began. One thread.
class InputWords {
 public:
  // The size of the frames, pixels.
  InputWords(int width, int height) : width_(width), height_(height) {}

  // Nothing: SAGE has no message for it.
  std::optional<sageMessage> message_of(const sail_input& input);

 private:
  struct Pointer {
    float x = 0, y = 0;  // fractions from the lower left corner
    float from_x = 0, from_y = 0;
    int button = 0;     // held, as SAGE counts; 0: none
    int32_t touch = 0;  // the finger that holds it
  };

  std::optional<sageMessage> click(const sail_input& input, Pointer& pointer, int button,
                                   bool down);
  sageMessage move(const sail_input& input, Pointer& pointer);
  void place(const sail_input& input, Pointer& pointer) const;

  const int width_;
  const int height_;
  std::unordered_map<uint32_t, Pointer> pointers_;
};

// Messages on their way to the program. Any thread.
class MessageQueue {
 public:
  // Moves in a row become one. A program that takes none loses the latest.
  void push(sageMessage message);
  // APP_QUIT, before all others.
  void push_quit();
  // wait: until there is one, or close(). False: there was none.
  bool pop(sageMessage& message, bool wait);
  // Nobody waits any more.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<sageMessage> messages_;
  bool closed_ = false;
};

}  // namespace vitrail
