// Owns a descriptor and closes it, unless it is taken out. One thread at a time.
#pragma once

#include <unistd.h>

#include <utility>

namespace sail {

class Descriptor {
 public:
  // Negative: there is none.
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(Descriptor&& other) noexcept : descriptor_(other.take()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  int get() const { return descriptor_; }
  int take() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

}  // namespace sail
