#include <fmt/core.h>

#include <array>
#include <charconv>
#include <utility>

#include "sail/core/address/socket_address.h"
#include "sail/core/discovery/mdns.h"
#include "sail/core/socket/tcp_connection.h"
#include "sail/core/socket/tls_stream.h"

namespace sail {
namespace {

constexpr const char* kOtherProgram =
    ". Another program answers there, or an older release of Vitrail: check the address, and "
    "install the same release on all hosts";

// One TcpConnection::connect: looks up the name and tries its addresses in turn. Kept alive by the
// caller's guard and, through pending_, by libuv.
class Connecting : public std::enable_shared_from_this<Connecting> {
 public:
  Connecting(Loop& loop, Address to, TcpConnection::ConnectCallback callback,
             TcpConnection::ConnectOptions options)
      : loop_(loop),
        to_(std::move(to)),
        options_(std::move(options)),
        callback_(std::move(callback)),
        deadline_(loop),
        reach_(loop) {}

  void start();
  void cancel();

 private:
  void give_up_after(Timer& timer, int64_t timeout_ms);
  void look_up();
  void looked_up(int status, addrinfo* found);
  void search();
  void searched(const Result<std::vector<Address>>& found);
  void try_next();
  void connected(int status);
  bool wants_tls() const;
  void encrypt();
  void encrypted(const Result<void>& shaken);
  void give_up(ErrorCode code, std::string_view why);
  void finish(Result<std::unique_ptr<TcpConnection>> result);
  // True if callbacks of libuv must be ignored.
  bool over() const { return !callback_ || loop_.impl().closing; }

  Loop& loop_;
  const Address to_;
  const TcpConnection::ConnectOptions options_;
  TcpConnection::ConnectCallback callback_;  // empty once called or cancelled
  Timer deadline_;
  Timer reach_;
  uv_getaddrinfo_t lookup_{};
  uv_connect_t request_{};
  std::shared_ptr<Connecting> pending_;  // while libuv has a request
  std::shared_ptr<void> search_;
  std::vector<sockaddr_storage> addresses_;
  size_t next_address_ = 0;
  std::shared_ptr<TcpConnection::Impl> attempt_;
  int last_status_ = 0;
};

void Connecting::start() {
  give_up_after(deadline_, options_.timeout_ms + (is_by_mdns(to_) ? kMdnsSearchMs : 0));
  // Posted, because the first step may fail at once.
  loop_.post([this, keep = shared_from_this()] {
    if (over()) return;
    if (const auto address = numeric_socket_address(to_)) {
      addresses_.push_back(*address);
      try_next();
    } else if (is_by_mdns(to_)) {
      search();
    } else {
      look_up();
    }
  });
}

void Connecting::give_up_after(Timer& timer, int64_t timeout_ms) {
  timer.start(timeout_ms, 0, [this, timeout_ms] {
    const auto keep = shared_from_this();
    give_up(ErrorCode::kTimeout, fmt::format("no answer within {} ms", timeout_ms));
  });
}

void Connecting::cancel() {
  callback_ = nullptr;
  deadline_.stop();
  reach_.stop();
  search_.reset();
  if (attempt_) close_handle(attempt_->handle());
  // A running lookup cannot be cancelled; its result is then ignored.
  if (pending_ && !attempt_) uv_cancel(reinterpret_cast<uv_req_t*>(&lookup_));
}

void Connecting::look_up() {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  lookup_.data = this;
  const auto on_found = [](uv_getaddrinfo_t* request, int status, addrinfo* found) {
    auto* self = static_cast<Connecting*>(request->data);
    const auto keep = std::move(self->pending_);
    self->looked_up(status, found);
    uv_freeaddrinfo(found);
  };
  pending_ = shared_from_this();
  const int status =
      uv_getaddrinfo(&loop_.impl().uv, &lookup_, on_found, to_.host.c_str(), nullptr, &hints);
  if (status < 0) {
    const auto keep = std::move(pending_);
    give_up(ErrorCode::kNotFound, uv_strerror(status));
  }
}

void Connecting::looked_up(int status, addrinfo* found) {
  if (over()) return;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    if (one->ai_family != AF_INET && one->ai_family != AF_INET6) continue;
    Address address = address_from(one->ai_addr);
    address.port = to_.port;
    if (const auto numeric = numeric_socket_address(address)) addresses_.push_back(*numeric);
  }
  if (addresses_.empty()) {
    give_up(ErrorCode::kNotFound,
            status < 0 ? uv_strerror(status) : "the host name has no address");
  } else {
    try_next();
  }
}

void Connecting::search() {
  const auto found =
      std::make_shared<Result<std::vector<Address>>>(fail(ErrorCode::kUnavailable, ""));
  search_ = in_background(
      loop_, [found, wanted = to_] { *found = find_by_mdns(wanted); },
      [this, found, keep = shared_from_this()] { searched(*found); });
}

void Connecting::searched(const Result<std::vector<Address>>& found) {
  search_.reset();
  if (over()) return;
  if (!found) return give_up(found.error().code, found.error().message);
  for (const Address& one : *found) {
    if (const auto numeric = numeric_socket_address(one)) addresses_.push_back(*numeric);
  }
  try_next();
}

void Connecting::try_next() {
  if (next_address_ == addresses_.size()) {
    const bool ours = last_status_ == UV_EMFILE || last_status_ == UV_ENFILE;
    give_up(ours ? ErrorCode::kIo : ErrorCode::kUnavailable, uv_strerror(last_status_));
    return;
  }
  const auto* address = reinterpret_cast<const sockaddr*>(&addresses_[next_address_++]);
  attempt_ = TcpConnection::Impl::make(loop_);
  request_.data = this;
  pending_ = shared_from_this();
  give_up_after(reach_, options_.reach_ms);
  const int status =
      uv_tcp_connect(&request_, &attempt_->tcp, address, [](uv_connect_t* request, int result) {
        auto* self = static_cast<Connecting*>(request->data);
        const auto keep = std::move(self->pending_);
        self->connected(result);
      });
  if (status < 0) {
    const auto keep = std::move(pending_);
    connected(status);
  }
}

void Connecting::connected(int status) {
  if (over()) return;
  reach_.stop();
  if (status == 0) {
    attempt_->note_addresses();
    // The system may choose the wanted port as our local port and connect us to ourselves.
    if (attempt_->local == attempt_->peer) status = UV_ECONNREFUSED;
  }
  if (status == 0) {
    if (wants_tls()) return encrypt();
    finish(std::make_unique<TcpConnection>(std::exchange(attempt_, nullptr)));
    return;
  }
  last_status_ = status;
  close_handle(attempt_->handle());
  try_next();
}

bool Connecting::wants_tls() const {
  return is_protected(attempt_->peer, options_.tls);
}

void Connecting::encrypt() {
  if (options_.certificate && options_.certificate->empty()) {
    return give_up(
        ErrorCode::kUnauthorized,
        "TLS is required, but no certificate of this peer was announced: install the same "
        "release on all hosts");
  }
  attempt_->tls = std::make_unique<TlsStream>(*attempt_, TlsSession::Side::kClient);
  attempt_->tls->begin([weak = weak_from_this()](const Result<void>& shaken) {
    if (const auto self = weak.lock(); self && !self->over()) self->encrypted(shaken);
  });
}

void Connecting::encrypted(const Result<void>& shaken) {
  if (!shaken) {
    const bool other = shaken.error().code == ErrorCode::kUnauthorized;
    return give_up(shaken.error().code, shaken.error().message + (other ? kOtherProgram : ""));
  }
  if (options_.certificate &&
      attempt_->tls->session().peer_fingerprint() != *options_.certificate) {
    return give_up(ErrorCode::kUnauthorized,
                   "unexpected certificate: another program or computer answers there, or a man in "
                   "the middle; check where this address leads");
  }
  finish(std::make_unique<TcpConnection>(std::exchange(attempt_, nullptr)));
}

void Connecting::give_up(ErrorCode code, std::string_view why) {
  if (attempt_) close_handle(attempt_->handle());
  finish(fail(code, fmt::format("cannot connect to {}: {}", address_text(to_), why)));
}

void Connecting::finish(Result<std::unique_ptr<TcpConnection>> result) {
  deadline_.stop();
  reach_.stop();
  const auto callback = std::exchange(callback_, nullptr);
  callback(std::move(result));
}

}  // namespace

std::shared_ptr<void> TcpConnection::connect(Loop& loop, const Address& to,
                                             ConnectCallback callback,
                                             const ConnectOptions& options) {
  auto connecting = std::make_shared<Connecting>(loop, to, std::move(callback), options);
  connecting->start();
  return {connecting.get(), [connecting](void*) { connecting->cancel(); }};
}

std::shared_ptr<void> TcpConnection::connect(Loop& loop, const Address& to,
                                             ConnectCallback callback) {
  return connect(loop, to, std::move(callback), {});
}

}  // namespace sail
