// Where pictures come from: a film or still (MediaSource), the test card (TestSource), standard
// input (RawSource). One thread. Times are film time in nanoseconds: 0 is the film's first picture.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/media/film_time.h"

namespace sail {

// A picture and the right to read its pixels. With pixels.release it owns them and releases them
// when it goes; without, they stand until the source's next call.
struct Picture {
  sail_frame pixels{};
  Size size;
  Size display_size;  // as wide as it should look: differs from size when pixels are not square
  int64_t pts_ns = 0;
  int64_t duration_ns = 0;  // 0: unknown

  Picture() = default;
  Picture(Picture&& other) noexcept { *this = std::move(other); }
  Picture& operator=(Picture&& other) noexcept {
    if (this == &other) return *this;
    release();
    pixels = other.pixels;
    size = other.size;
    display_size = other.display_size;
    pts_ns = other.pts_ns;
    duration_ns = other.duration_ns;
    other.handed_over();
    return *this;
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;
  ~Picture() { release(); }

  // Somebody else calls release now.
  void handed_over() { pixels.release = nullptr; }

 private:
  void release() {
    if (pixels.release) pixels.release(pixels.opaque);
    pixels.release = nullptr;
  }
};

struct SourceInfo {
  int64_t duration_ns = 0;  // 0: unknown or endless
  FrameRate rate;           // nominal
  // Its pictures come when they come: a late one is the source's doing, no reason to drop it.
  bool live = false;
  std::string description;  // "h264, 1280x720, 25 fps"
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  virtual const SourceInfo& info() const = 0;

  // The next picture; nothing at the end.
  virtual Result<std::optional<Picture>> next() = 0;

  // The next picture is then the one that is to be seen at that time (the last one, past the end).
  // On failure the source goes on where it was, or ends.
  virtual Result<void> seek(int64_t position_ns) = 0;

  // What is wrong with the film though it plays on: a sentence, once.
  virtual std::optional<std::string> take_complaint() { return std::nullopt; }
};

}  // namespace sail
