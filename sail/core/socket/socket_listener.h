// A listening TCP socket on a Loop that passes on accepted descriptors, for TcpListener and the web
// server. For sail/core only.
#pragma once

#include <functional>
#include <memory>

#include "sail/core/socket/listening_socket.h"

namespace sail {

// See TcpListener.
class SocketListener {
 public:
  using AcceptCallback = std::function<void(Descriptor accepted)>;
  static Result<std::unique_ptr<SocketListener>> listen(
      Loop& loop, const Address& at, AcceptCallback callback,
      TcpListener::DescriptorsExhaustedCallback on_descriptors_exhausted = {});
  // Uses a socket that is already listening.
  static std::unique_ptr<SocketListener> adopt(
      Loop& loop, Descriptor listening, AcceptCallback callback,
      TcpListener::DescriptorsExhaustedCallback on_descriptors_exhausted = {});
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
