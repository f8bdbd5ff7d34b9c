#include <fmt/core.h>

#include <array>
#include <utility>

#include "sail/net/message_channel.h"
#include "sail/wire/limits.h"
#include "sail/wire/rpc.h"

namespace sail {
namespace {

class TcpChannel : public MessageChannel, TcpReader {
 public:
  explicit TcpChannel(std::unique_ptr<TcpConnection> connection)
      : connection_(std::move(connection)) {}

  void start_reading(Reader& reader) override {
    reader_ = &reader;
    connection_->start_reading(*this);
  }
  Result<std::optional<std::string_view>> next() override {
    if (overlong_) {
      return fail(ErrorCode::kLimit,
                  fmt::format("a line is longer than {} bytes", kMaxControlLine));
    }
    return framer_.next();
  }
  void send(std::string_view line) override {
    connection_->write_copy({reinterpret_cast<const uint8_t*>(line.data()), line.size()});
  }
  size_t unsent_bytes() const override { return connection_->unsent_bytes(); }
  void close_after_sending(int64_t at_most_ms) override {
    TcpConnection::close_after_writes(std::move(connection_), at_most_ms);
  }
  Address local_address() const override { return connection_->local_address(); }
  Address peer_address() const override { return connection_->peer_address(); }

 private:
  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override {
    overlong_ = !framer_.add({reinterpret_cast<const char*>(buffer_.data()), bytes});
    reader_->on_received();
  }
  void on_closed(const Error& error) override { reader_->on_closed(error); }

  std::unique_ptr<TcpConnection> connection_;
  Reader* reader_ = nullptr;
  LineFramer framer_;
  bool overlong_ = false;
  std::array<uint8_t, 65536> buffer_;
};

}  // namespace

std::unique_ptr<MessageChannel> tcp_channel(std::unique_ptr<TcpConnection> connection) {
  return std::make_unique<TcpChannel>(std::move(connection));
}

}  // namespace sail
