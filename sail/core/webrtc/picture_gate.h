// Which pictures a viewer gets: the first one is a key picture, and after a picture that does not
// fit into the viewer's queue comes the next key picture that does. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sail {

class PictureGate {
 public:
  static constexpr uint64_t kMostWaiting = 4 << 20;  // bytes in the viewer's queue

  // waiting: bytes in the viewer's queue.
  bool lets_through(bool key, uint64_t waiting) {
    open_ = waiting <= kMostWaiting && (open_ || key);
    return open_;
  }
  // False: the next picture must be a key picture.
  bool is_open() const { return open_; }

 private:
  bool open_ = false;
};

}  // namespace sail
