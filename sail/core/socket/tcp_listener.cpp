#include <utility>

#include "sail/core/socket/listening_socket.h"
#include "sail/core/socket/tcp_connection.h"
#include "sail/core/socket/tls_stream.h"

namespace sail {

struct TcpListener::Impl {
  std::unique_ptr<SocketListener> socket;
};

Result<std::unique_ptr<TcpListener>> TcpListener::listen(
    Loop& loop, const Address& at, AcceptCallback callback,
    DescriptorsExhaustedCallback on_descriptors_exhausted) {
  return listen(loop, at, std::move(callback), std::move(on_descriptors_exhausted), {});
}

Result<std::unique_ptr<TcpListener>> TcpListener::listen(
    Loop& loop, const Address& at, AcceptCallback callback,
    DescriptorsExhaustedCallback on_descriptors_exhausted, PlainPeers plain_peers) {
  const auto refusal = std::make_shared<const std::string>(std::move(plain_peers.refusal));
  const auto on_accept = [&loop, callback = std::move(callback), refusal,
                          use = plain_peers.tls](Descriptor accepted) {
    auto connection = TcpConnection::Impl::make(loop);
    if (uv_tcp_open(&connection->tcp, accepted.get()) != 0) {
      close_handle(connection->handle());
      return;
    }
    accepted.take();
    connection->note_addresses();
    if (use != TlsUse::kAsItComes) {
      const bool plain = use == TlsUse::kNever ||
                         (use == TlsUse::kOffLoopback && is_loopback(connection->peer.host));
      connection->gate =
          std::make_unique<TcpConnection::Impl::Gate>(TcpConnection::Impl::Gate{plain, refusal});
    }
    callback(std::make_unique<TcpConnection>(std::move(connection)));
  };
  auto socket = SocketListener::listen(loop, at, on_accept, std::move(on_descriptors_exhausted));
  if (!socket) return socket.error();
  return std::unique_ptr<TcpListener>(
      new TcpListener(std::make_shared<Impl>(Impl{std::move(*socket)})));
}

const std::string& TcpListener::fingerprint(Loop& loop) {
  return loop.impl().tls_context().fingerprint();
}

TcpListener::TcpListener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

TcpListener::~TcpListener() = default;

Address TcpListener::address() const {
  return impl_->socket->address();
}

}  // namespace sail
