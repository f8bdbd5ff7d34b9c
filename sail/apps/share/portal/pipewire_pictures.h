// Receives the pictures of a PipeWire node. The newest picture stays in the buffer in which it
// arrived until the next one. Only this file uses PipeWire. One thread, active only in pump();
// PipeWire has another thread.
#pragma once

#include <sail/sail.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

class PipewirePictures {
 public:
  // Four bytes per pixel.
  struct Frame {
    const uint8_t* pixels = nullptr;  // null: no picture yet
    ptrdiff_t stride = 0;
    Size size;
    sail_pixel_format format = SAIL_BGRA;
  };
  // connection: a file descriptor; ownership is taken. fps: maximum picture rate.
  static Result<std::unique_ptr<PipewirePictures>> open(int connection, uint32_t node, double fps);
  ~PipewirePictures();
  PipewirePictures(const PipewirePictures&) = delete;
  PipewirePictures& operator=(const PipewirePictures&) = delete;

  // Processes events, waiting at most timeout_ms. Returns true if there is a newer picture,
  // kUnavailable if there will be no more.
  Result<bool> pump(int timeout_ms);
  // Reconnects to the node, which then sends a complete picture again.
  void restart();
  // Valid until the next pump().
  const Frame& newest() const;

 private:
  struct Impl;
  explicit PipewirePictures(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
