// The frame buffers of a SAGE program: the one that it draws into and the one that is shown, which
// libsail reads directly if it supports the format. swap() and front() belong to one thread,
// submit() to another; submit() must not run at the same time as swap().
#pragma once

#include <sail/sail.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sail/bindings/sage/include/sage.h"

namespace vitrail {

class Pictures {
 public:
  // bottom_up: the lowest row comes first.
  Pictures(sagePixFmt format, int width, int height, bool bottom_up);

  // Returns why the pictures cannot be shown; empty: they can.
  const std::string& refusal() const { return refusal_; }
  // Returns the buffer to draw into; null if the size is invalid.
  unsigned char* front() { return front_.get(); }
  size_t byte_count() const { return byte_count_; }
  void swap() { std::swap(front_, back_); }

  // Fills in the format options of a stream for these pictures.
  void describe(sail_stream_options& options) const;
  // Submits the back buffer. again: it was submitted before.
  sail_status submit(sail_stream* stream, bool again);

 private:
  struct Free {
    void operator()(unsigned char* bytes) const { std::free(bytes); }
  };
  using Bytes = std::unique_ptr<unsigned char, Free>;
  static Bytes allocate(size_t bytes);
  std::string check() const;
  void prepare_blocks();

  sail_status submit_pixels(sail_stream* stream, bool again);
  sail_status submit_texels(sail_stream* stream, bool again);
  // Convert the back buffer into converted_, topmost row first.
  void split_uyvy();
  void turn_bgr();
  void cut_texels();

  const sagePixFmt format_;
  const int width_;
  const int height_;
  const bool bottom_up_;
  const std::string refusal_;
  size_t byte_count_ = 0;
  Bytes front_;
  Bytes back_;
  Bytes converted_;  // for formats that libsail cannot read directly
  // For compressed frames.
  int block_width_ = 0;
  int block_height_ = 0;
  std::vector<uint32_t> block_bytes_;
};

}  // namespace vitrail
