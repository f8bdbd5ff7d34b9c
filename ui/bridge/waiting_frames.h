// The frames of a window that wait for their turn on the way to the far wall. When a lost packet
// has been repeated, the frame that lacked it and all frames after it are whole at the same moment.
// Of frames that are submitted together, libsail sends only the newest: it spreads each frame over
// most of the mean time between frames, which a stall makes longer. So frames are passed on in five
// sixths of the time that was between them on the near wall, until none waits. Pure; one thread at
// a time.
#pragma once

#include <sail/sail.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace ui {

struct FrameTimes {
  int64_t submitted_ns = 0;  // near wall's time at which its application submitted the frame
  int64_t steady_ns = 0;     // the same as steady time; 0: unknown
};

class WaitingFrames {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  // Limits of the frames that wait. Beyond them, the oldest frame need not wait any longer.
  static constexpr size_t kMostFrames = 32;
  static constexpr size_t kMostBytes = size_t{64} << 20;
  // The longest time between two frames, also if more was between them on the near wall.
  static constexpr int64_t kMostApartNs = 50'000'000;

  struct Waiting {
    sail_encoded_frame frame{};  // its bytes and lengths are those below
    FrameTimes times;
    int64_t apart_ns = 0;  // from the frame before
    std::vector<uint8_t> bytes{};
    std::vector<uint32_t> lengths{};
  };

  // Adds a frame unless it is its turn now. Returns whether the frame waits. Copies the bytes only
  // if it does.
  bool add(const sail_encoded_frame& frame, const FrameTimes& times, int64_t now_ns);
  // Returns the first frame if it is its turn; null: none. Valid until the next call. The next
  // frame's turn counts from now_ns.
  const Waiting* take(int64_t now_ns);
  // Returns when it is the first frame's turn.
  int64_t next_ns() const;
  // Removes all frames. Returns how many there were.
  size_t clear();

 private:
  bool full() const { return frames_.size() > kMostFrames || bytes_ > kMostBytes; }

  std::deque<Waiting> frames_;  // oldest first
  size_t bytes_ = 0;            // of frames_
  Waiting taken_;               // kept for its capacity, too
  int64_t passed_ns_ = 0;       // the last frame was passed on at this time
  int64_t submitted_ns_ = 0;    // of the last frame that came
};

}  // namespace ui
