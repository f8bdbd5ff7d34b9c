// The pictures of a PipeWire node as they come: the newest stays, in the memory that it came in,
// until there is a newer one. PipeWire lives in this file and nowhere else. One thread, in which
// nothing happens but in look(); PipeWire has another.
#pragma once

#include <sail/sail.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace sail {

class PipewirePictures {
 public:
  // Four bytes a pixel.
  struct Frame {
    const uint8_t* pixels = nullptr;  // null: there is none
    ptrdiff_t stride = 0;
    Size size;
    sail_pixel_format format = SAIL_BGRA;
  };
  // connection: a descriptor, taken. fps: more pictures a second are of no use.
  static Result<std::unique_ptr<PipewirePictures>> open(int connection, uint32_t node, double fps);
  ~PipewirePictures();
  PipewirePictures(const PipewirePictures&) = delete;
  PipewirePictures& operator=(const PipewirePictures&) = delete;

  // Hears what has come, waiting for something at most so long. True: there is a newer picture.
  // kUnavailable: none will come any more.
  Result<bool> look(int timeout_ms);
  // Begins anew with the same node, for which it sends a whole picture again.
  void restart();
  // Stands until the next look().
  const Frame& newest() const;

 private:
  struct Impl;
  explicit PipewirePictures(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
