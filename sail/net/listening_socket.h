// A TCP socket that listens: for a server here, or for a child that is started with it and so needs
// not tell where it listens. Any thread.
#pragma once

#include <unistd.h>

#include <utility>

#include "sail/net/tcp.h"

namespace sail {

// Closes it, unless it is taken out.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(Descriptor&& other) noexcept : descriptor_(other.take()) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return descriptor_; }
  int take() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

// Errors are those of TcpListener::listen().
Result<Descriptor> listening_socket(const Address& at);
// Where a socket listens; nothing when it does not.
std::optional<Address> listening_address(int descriptor);

}  // namespace sail
