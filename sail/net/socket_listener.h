// A listening TCP socket on a Loop that gives out bare descriptors: for TcpListener and the web
// server. Not for other folders.
#pragma once

#include <unistd.h>

#include <functional>
#include <memory>
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

// As TcpListener, which see.
class SocketListener {
 public:
  using AcceptCallback = std::function<void(Descriptor accepted)>;
  static Result<std::unique_ptr<SocketListener>> listen(
      Loop& loop, const Address& at, AcceptCallback callback,
      TcpListener::StarvedCallback on_starved = {});
  ~SocketListener();
  SocketListener(const SocketListener&) = delete;
  SocketListener& operator=(const SocketListener&) = delete;

  Address address() const;

 private:
  struct Impl;
  explicit SocketListener(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
