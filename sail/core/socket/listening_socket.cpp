#include "sail/core/socket/listening_socket.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include <cerrno>
#include <utility>

#include "sail/core/address/socket_address.h"
#include "sail/core/loop/handle.h"

namespace sail {
namespace {

constexpr int kBacklog = 1024;

// Returns a descriptor or a negative libuv error.
int open_listening(const sockaddr* address) {
  Descriptor listening(::socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (listening.get() < 0) return -errno;
  // Allows a restart while connections of the previous run are in TIME_WAIT.
  const int on = 1;
  if (setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) return -errno;
  if (bind(listening.get(), address, socket_address_size(address)) < 0) return -errno;
  if (::listen(listening.get(), kBacklog) < 0) return -errno;
  return listening.take();
}

}  // namespace

Result<Descriptor> listening_socket(const Address& at) {
  const auto address = numeric_socket_address(at);
  if (!address) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("cannot listen at \"{}\": not a numeric address", at.host));
  }
  const int opened = open_listening(reinterpret_cast<const sockaddr*>(&*address));
  if (opened == UV_EADDRINUSE) {
    return fail(ErrorCode::kConflict, fmt::format("port {} on {} is in use", at.port, at.host));
  }
  if (opened < 0) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot listen at {}: {}", address_text(at), uv_strerror(opened)));
  }
  return Descriptor(opened);
}

std::optional<Address> listening_address(int descriptor) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0 || listens == 0) {
    return std::nullopt;
  }
  return address_of(descriptor, getsockname);
}

namespace {

constexpr int kAcceptsAtOnce = 32;  // then the loop handles other events
constexpr int64_t kPauseMs = 100;   // after an accept that failed for lack of resources

Error accept_error(int number) {
  const std::string text =
      fmt::format("cannot accept connections: {}", uv_strerror(uv_translate_sys_error(number)));
  if (number != EMFILE) return {ErrorCode::kIo, text};
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return {ErrorCode::kIo,
          fmt::format("{} (limit {}: raise `ulimit -n`, or LimitNOFILE= of the systemd unit)", text,
                      limit.rlim_cur)};
}

}  // namespace

// Accepts connections itself on a polled socket. The accept in libuv 1.44 drops connections, or
// loops forever, when the process has no descriptors left.
struct SocketListener::Impl : HandleBlock {
  Impl(Loop& its_loop, AcceptCallback callback, TcpListener::DescriptorsExhaustedCallback starved)
      : loop(its_loop),
        on_accept(std::move(callback)),
        on_descriptors_exhausted(std::move(starved)),
        pause(its_loop) {}
  ~Impl() override { close_socket(); }

  Loop& loop;
  AcceptCallback on_accept;  // kept until the handle is closed: one may be running
  TcpListener::DescriptorsExhaustedCallback on_descriptors_exhausted;
  Timer pause;
  uv_poll_t poll{};
  int socket = -1;
  Address local;

  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&poll); }
  void drop_callbacks() override {
    std::exchange(on_accept, nullptr);
    std::exchange(on_descriptors_exhausted, nullptr);
  }
  void start();
  void accept_some();
  void close_socket();
};

void SocketListener::Impl::start() {
  uv_poll_start(&poll, UV_READABLE,
                [](uv_poll_t* watched, int, int) { block_of<Impl>(watched).accept_some(); });
}

void SocketListener::Impl::accept_some() {
  for (int i = 0; i < kAcceptsAtOnce && socket >= 0; ++i) {
    Descriptor accepted(accept4(socket, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (accepted.get() < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      if (errno == EINTR || errno == ECONNABORTED) continue;
      const Error why = accept_error(errno);
      uv_poll_stop(&poll);
      pause.start(kPauseMs, 0, [this] { start(); });
      if (on_descriptors_exhausted) on_descriptors_exhausted(why);
      return;
    }
    on_accept(std::move(accepted));
  }
}

void SocketListener::Impl::close_socket() {
  if (socket >= 0) close(std::exchange(socket, -1));
}

Result<std::unique_ptr<SocketListener>> SocketListener::listen(
    Loop& loop, const Address& at, AcceptCallback callback,
    TcpListener::DescriptorsExhaustedCallback on_descriptors_exhausted) {
  auto listening = listening_socket(at);
  if (!listening) return listening.error();
  return adopt(loop, std::move(*listening), std::move(callback),
               std::move(on_descriptors_exhausted));
}

std::unique_ptr<SocketListener> SocketListener::adopt(
    Loop& loop, Descriptor listening, AcceptCallback callback,
    TcpListener::DescriptorsExhaustedCallback on_descriptors_exhausted) {
  auto impl =
      std::make_shared<Impl>(loop, std::move(callback), std::move(on_descriptors_exhausted));
  impl->socket = listening.take();
  impl->local = address_of(impl->socket, getsockname);
  require(uv_poll_init(&loop.impl().uv, &impl->poll, impl->socket), "cannot watch a socket");
  own_until_closed(impl, impl->handle());
  impl->start();
  return std::unique_ptr<SocketListener>(new SocketListener(std::move(impl)));
}

SocketListener::SocketListener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

SocketListener::~SocketListener() {
  impl_->pause.stop();
  close_handle(impl_->handle());
  impl_->close_socket();  // at once, so that the port is free when this returns
}

Address SocketListener::address() const {
  return impl_->local;
}

}  // namespace sail
