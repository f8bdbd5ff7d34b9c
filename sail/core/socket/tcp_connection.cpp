#include "sail/core/socket/tcp_connection.h"

#include <fmt/core.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "sail/core/address/socket_address.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/socket/tls_stream.h"

namespace sail {
namespace {

// A recycled request keeps up to this capacity for its copy.
constexpr size_t kKeptCopy = 1024;
constexpr size_t kKeptWrites = 1024;  // of all connections of a loop
// Shared texts of at least this size are not counted in full for each connection.
constexpr size_t kLargeText = 16384;
// Connections of a loop that are sending their last bytes; more are closed at once.
constexpr size_t kMostLingering = 256;

Error connection_error(int status) {
  if (status == UV_EOF) return {ErrorCode::kUnavailable, "the peer closed the connection"};
  return {ErrorCode::kIo, fmt::format("the connection broke: {}", uv_strerror(status))};
}

// Keeps a connection while its last bytes are sent. Owned by the callback of its own timer, so it
// ends when the timer fires, is stopped, or is destroyed with the loop.
class Linger : public TcpReader {
 public:
  static void start(Loop& loop, std::unique_ptr<TcpConnection> connection, int64_t at_most_ms) {
    auto linger = std::make_shared<Linger>(loop, std::move(connection));
    linger->connection_->start_reading(*linger);
    Timer& timer = linger->timer_;
    timer.start(at_most_ms, 0, [linger = std::move(linger)] {});
  }
  Linger(Loop& loop, std::unique_ptr<TcpConnection> connection)
      : lingering_(loop.impl().lingering), connection_(std::move(connection)), timer_(loop) {
    ++lingering_;
  }
  ~Linger() override { --lingering_; }

 private:
  std::span<uint8_t> read_buffer() override { return connection_->shared_read_buffer(); }
  void on_read(size_t) override {}
  void on_closed(const Error&) override { timer_.stop(); }

  size_t& lingering_;
  std::unique_ptr<TcpConnection> connection_;
  Timer timer_;
};

}  // namespace

// ---- TcpConnection::Impl ----

TcpConnection::Impl::Impl() = default;
TcpConnection::Impl::~Impl() = default;

std::shared_ptr<TcpConnection::Impl> TcpConnection::Impl::make(Loop& loop) {
  auto impl = std::make_shared<Impl>();
  require(uv_tcp_init(&loop.impl().uv, &impl->tcp), "cannot make a TCP handle");
  own_until_closed(impl, impl->handle());
  uv_tcp_nodelay(&impl->tcp, 1);
  return impl;
}

void TcpConnection::Impl::note_addresses() {
  const auto ask = [this](auto function) -> Address {
    sockaddr_storage storage{};
    auto* address = reinterpret_cast<sockaddr*>(&storage);
    int size = sizeof storage;
    return function(&tcp, address, &size) == 0 ? address_from(address) : Address{};
  };
  local = ask(uv_tcp_getsockname);
  peer = ask(uv_tcp_getpeername);
}

std::vector<std::unique_ptr<TcpConnection::Impl::Write>>& TcpConnection::Impl::free_writes() {
  using Writes = std::vector<std::unique_ptr<Write>>;
  std::shared_ptr<void>& kept = loop().impl().tcp_writes;
  if (!kept) kept = std::make_shared<Writes>();
  return *static_cast<Writes*>(kept.get());
}

std::unique_ptr<TcpConnection::Impl::Write> TcpConnection::Impl::take_write() {
  std::vector<std::unique_ptr<Write>>& free = free_writes();
  if (free.empty()) return std::make_unique<Write>();
  std::unique_ptr<Write> write = std::move(free.back());
  free.pop_back();
  return write;
}

void TcpConnection::Impl::write(std::unique_ptr<Write> write, std::span<const uv_buf_t> parts) {
  write->request.data = write.get();
  const int status = uv_write(
      &write->request, stream(), parts.data(), static_cast<unsigned>(parts.size()),
      [](uv_write_t* request, int result) {
        block_of<Impl>(request->handle).written(static_cast<Write*>(request->data), result);
      });
  if (status == 0) {
    static_cast<void>(write.release());  // owned by libuv until written()
  } else if (write->done) {
    loop().post([done = std::move(write->done)] { done(false); });
  }
}

void TcpConnection::Impl::write_by_tls(std::unique_ptr<Write> write) {
  if (tls && !closing()) return tls->write(std::move(write));
  // The connection has ended, or the first byte has not shown yet whether the peer uses TLS.
  if (write->done) loop().post([done = std::move(write->done)] { done(false); });
}

void TcpConnection::Impl::written(Write* write, int status) {
  complete(std::unique_ptr<Write>(write), status == 0);
  if (status < 0) broke(status);
}

void TcpConnection::Impl::complete(std::unique_ptr<Write> write, bool is_written) {
  const std::function<void(bool)> done = std::exchange(write->done, nullptr);
  write->copy.clear();
  if (write->copy.capacity() > kKeptCopy) write->copy.shrink_to_fit();
  write->shared.clear();
  for (; write->large_texts > 0; --write->large_texts) large_texts.pop_front();
  write->parts.clear();
  write->next_part = 0;
  if (free_writes().size() < kKeptWrites) free_writes().push_back(std::move(write));
  if (done && !loop().impl().closing) done(is_written);
}

void TcpConnection::Impl::broke(int status) {
  if (!loop().impl().closing) end(connection_error(status));
}

void TcpConnection::Impl::read_socket() {
  const auto where = [](uv_handle_t* handle, size_t, uv_buf_t* buffer) {
    const std::span<uint8_t> bytes = block_of<Impl>(handle).room();
    *buffer = {reinterpret_cast<char*>(bytes.data()), bytes.size()};
  };
  // Fails only if it is reading already.
  uv_read_start(stream(), where, [](uv_stream_t* stream, ssize_t result, const uv_buf_t*) {
    block_of<Impl>(stream).read(result);
  });
}

void TcpConnection::Impl::shut_socket() {
  uv_shutdown(&shutdown, stream(), [](uv_shutdown_t*, int) {});
}

std::span<uint8_t> TcpConnection::Impl::room() {
  if (gate && !pass_gate()) return {};
  if (tls) return tls->room();
  return gate ? loop().impl().tls_room() : reader->read_buffer();
}

bool TcpConnection::Impl::pass_gate() {
  uv_os_fd_t descriptor = -1;
  uv_fileno(handle(), &descriptor);
  uint8_t first = 0;
  const ssize_t seen = recv(descriptor, &first, 1, MSG_PEEK | MSG_DONTWAIT);
  if (seen < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
  if (seen <= 0) return true;  // end of connection, reported to read()
  if (first == kTlsFirstByte) tls = std::make_unique<TlsStream>(*this, TlsSession::Side::kListener);
  if (tls || gate->plain_may_pass) gate.reset();
  return true;
}

void TcpConnection::Impl::read(ssize_t result) {
  if (result > 0 && gate) {
    refuse_plain();
  } else if (result > 0 && tls) {
    tls->received(static_cast<size_t>(result));
  } else if (result > 0) {
    reader->on_read(static_cast<size_t>(result));
  } else if (result == UV_EOF && tls && tls->shaken()) {  // anybody on the path can send a FIN
    end({ErrorCode::kUnavailable,
         "the connection ended without a TLS close: the last bytes may be missing"});
  } else if (result < 0 && (!gate || result != UV_ENOBUFS)) {  // gate: ENOBUFS means nothing
    end(connection_error(static_cast<int>(result)));
  }
}

void TcpConnection::Impl::refuse_plain() {
  auto write_request = take_write();
  write_request->copy.assign(gate->refusal->begin(), gate->refusal->end());
  const uv_buf_t buffer{reinterpret_cast<char*>(write_request->copy.data()),
                        write_request->copy.size()};
  write(std::move(write_request), {&buffer, 1});
  end({ErrorCode::kUnauthorized, "the connection needs TLS"});
}

void TcpConnection::Impl::end(const Error& error) {
  if (closing()) return;
  ended = error;
  close_handle(handle());
  if (tls) tls->ended(error);
  report_end();
}

void TcpConnection::Impl::drop_callbacks() {
  if (tls) tls->drop_writes();
}

void TcpConnection::Impl::report_end() {
  if (TcpReader* former = std::exchange(reader, nullptr)) former->on_closed(*ended);
}

// ---- TcpConnection ----

TcpConnection::TcpConnection(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

TcpConnection::~TcpConnection() {
  impl_->reader = nullptr;
  if (impl_->tls && !impl_->closing()) impl_->tls->take_leave();
  close_handle(impl_->handle());
}

void TcpConnection::start_reading(TcpReader& reader) {
  impl_->reader = &reader;
  if (impl_->ended) {
    impl_->loop().post([weak = std::weak_ptr(impl_)] {
      if (const auto impl = weak.lock()) impl->report_end();
    });
    return;
  }
  if (!impl_->tls || !impl_->tls->holds()) return impl_->read_socket();
  impl_->loop().post([weak = std::weak_ptr(impl_)] {
    if (const auto impl = weak.lock()) impl->tls->resume();
  });
}

void TcpConnection::stop_reading() {
  impl_->reader = nullptr;
  impl_->stop_socket();
}

std::span<uint8_t> TcpConnection::shared_read_buffer() {
  constexpr size_t kBytes = 64 << 10;
  std::vector<uint8_t>& buffer = impl_->loop().impl().read_buffer;
  buffer.resize(kBytes);
  return buffer;
}

void TcpConnection::write(std::span<const std::span<const uint8_t>> parts,
                          std::function<void(bool)> done) {
  if (!impl_->writes_plain()) {
    auto write = impl_->take_write();
    write->parts.assign(parts.begin(), parts.end());
    write->done = std::move(done);
    return impl_->write_by_tls(std::move(write));
  }
  std::vector<uv_buf_t>& buffers = impl_->buffers;
  buffers.clear();
  for (const std::span<const uint8_t>& part : parts) {
    // libuv's buffers also serve for reading and so are not const; writing does not change them.
    buffers.push_back({const_cast<char*>(reinterpret_cast<const char*>(part.data())), part.size()});
  }
  if (buffers.empty()) buffers.push_back({nullptr, 0});
  auto write = impl_->take_write();
  write->done = std::move(done);
  impl_->write(std::move(write), buffers);
}

void TcpConnection::write_copy(std::span<const uint8_t> bytes) {
  auto write = impl_->take_write();
  write->copy.assign(bytes.begin(), bytes.end());
  if (!impl_->writes_plain()) {
    write->parts.emplace_back(write->copy);
    return impl_->write_by_tls(std::move(write));
  }
  const uv_buf_t buffer{reinterpret_cast<char*>(write->copy.data()), write->copy.size()};
  impl_->write(std::move(write), {&buffer, 1});
}

void TcpConnection::write_shared(std::span<const SharedText> parts) {
  auto write = impl_->take_write();
  write->shared.assign(parts.begin(), parts.end());
  if (!impl_->writes_plain()) {
    for (const SharedText& part : parts) {
      write->parts.emplace_back(reinterpret_cast<const uint8_t*>(part->data()), part->size());
    }
    return impl_->write_by_tls(std::move(write));
  }
  std::vector<uv_buf_t>& buffers = impl_->buffers;
  buffers.clear();
  for (const SharedText& part : parts) {
    buffers.push_back({const_cast<char*>(part->data()), part->size()});
    if (part->size() < kLargeText) continue;
    impl_->large_texts.push_back(part);
    ++write->large_texts;
  }
  impl_->write(std::move(write), buffers);
}

size_t TcpConnection::unsent_memory() const {
  size_t bytes = unsent_bytes();
  for (const SharedText& text : impl_->large_texts) {
    // Two references are of this connection: of the write, and of `large_texts`.
    const size_t part = 2 * text->size() / static_cast<size_t>(text.use_count());
    bytes -= std::min(bytes, text->size() - std::min(part, text->size()));
  }
  return bytes;
}

size_t TcpConnection::unsent_bytes() const {
  const size_t unsent = uv_stream_get_write_queue_size(impl_->stream());
  return impl_->tls ? unsent + impl_->tls->unsent_bytes() : unsent;
}

std::string TcpConnection::binding() const {
  return impl_->tls ? impl_->tls->session().binding() : "";
}

TcpCounts TcpConnection::counts() const {
  uv_os_fd_t descriptor = -1;
  if (uv_fileno(impl_->handle(), &descriptor) != 0) return {};  // the connection has ended
  return tcp_counts(descriptor);
}

void TcpConnection::acknowledge_now() {
  uv_os_fd_t descriptor = -1;
  if (uv_fileno(impl_->handle(), &descriptor) != 0) return;  // the connection has ended
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

Address TcpConnection::local_address() const {
  return impl_->local;
}
Address TcpConnection::peer_address() const {
  return impl_->peer;
}

void TcpConnection::set_buffer_sizes(int bytes) {
  int value = bytes;
  uv_send_buffer_size(impl_->handle(), &value);
  value = bytes;
  uv_recv_buffer_size(impl_->handle(), &value);
}

// ---- close_after_writes ----

void TcpConnection::close_after_writes(std::unique_ptr<TcpConnection> connection,
                                       int64_t at_most_ms) {
  Impl& impl = *connection->impl_;
  if (impl.loop().impl().lingering >= kMostLingering || impl.closing()) return;
  impl.tls ? impl.tls->shut() : impl.shut_socket();
  Linger::start(impl.loop(), std::move(connection), at_most_ms);
}

}  // namespace sail
