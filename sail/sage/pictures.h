// The frames of a SAGE program: the buffer that it draws into, and the one that is shown, which
// libsail reads as it is where it can. swap() and front() are one thread's, submit() another's, and
// they do not run at the same time as swap().
#pragma once

#include <sail/sail.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sail/sage/include/sage.h"

namespace vitrail {

class Pictures {
 public:
  // Of such pixels; bottom_up: the lowest row comes first.
  Pictures(sagePixFmt format, int width, int height, bool bottom_up);

  // Why they cannot be shown; empty: they can.
  const std::string& refusal() const { return refusal_; }
  // Null: a size that nothing can have.
  unsigned char* front() { return front_.get(); }
  size_t byte_count() const { return byte_count_; }
  void swap() { std::swap(front_, back_); }

  // What a stream for them has to say of its frames.
  void describe(sail_stream_options& options) const;
  // The back one. again: it was submitted before.
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
  // Into converted_, the topmost row first.
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
  Bytes converted_;  // of formats that libsail does not read as they are
  // Of compressed frames.
  int block_width_ = 0;
  int block_height_ = 0;
  std::vector<uint32_t> block_bytes_;
};

}  // namespace vitrail
