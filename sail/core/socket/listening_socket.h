// Listening TCP sockets, for servers in this process or for a child process that inherits one and
// so need not report its port. Any thread.
#pragma once

#include <functional>
#include <memory>

#include "sail/core/base/descriptor.h"
#include "sail/core/socket/tcp.h"

namespace sail {

// Fails as TcpListener::listen() does.
Result<Descriptor> listening_socket(const Address& at);
// Returns the socket's address; empty if it does not listen.
std::optional<Address> listening_address(int descriptor);

// A listening TCP socket on a Loop that passes accepted descriptors on to TcpListener and the web
// server. For sail/core only.
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
