#include <fmt/core.h>

#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/socket/message_channel.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/rpc.h"

namespace sail {
namespace {

constexpr size_t kSmallLine = 64 << 10;  // smaller lines need no memory check

class TcpChannel : public MessageChannel, TcpReader {
 public:
  explicit TcpChannel(std::unique_ptr<TcpConnection> connection)
      : connection_(std::move(connection)) {}

  void start_reading(Reader& reader) override {
    reader_ = &reader;
    connection_->start_reading(*this);
  }
  void pause() override { connection_->stop_reading(); }
  void resume() override { connection_->start_reading(*this); }
  void set_unauthenticated(bool unauthenticated) override { unauthenticated_ = unauthenticated; }
  Result<std::optional<std::string_view>> next() override;
  void send(std::string_view line) override {
    connection_->write_copy({reinterpret_cast<const uint8_t*>(line.data()), line.size()});
  }
  void send_shared(std::span<const SharedText> parts) override { connection_->write_shared(parts); }
  size_t unsent_bytes() const override { return connection_->unsent_bytes(); }
  size_t unsent_memory() const override { return connection_->unsent_memory(); }
  void close_after_sending(int64_t at_most_ms) override {
    TcpConnection::close_after_writes(std::move(connection_), at_most_ms);
  }
  std::string binding() const override { return connection_->binding(); }
  Address local_address() const override { return connection_->local_address(); }
  Address peer_address() const override { return connection_->peer_address(); }

 private:
  // Never reads more than a stranger may send.
  std::span<uint8_t> read_buffer() override {
    const std::span<uint8_t> buffer = connection_->shared_read_buffer();
    return unauthenticated_ ? buffer.first(kMaxUnauthenticatedBytes - received_) : buffer;
  }
  void on_read(size_t bytes) override {
    const auto* text = reinterpret_cast<const char*>(connection_->shared_read_buffer().data());
    waiting_ += bytes;
    // A line may be a megabyte long. The check keeps one peer from taking memory that others need.
    if (waiting_ > kSmallLine) room_ = ask_for_memory(kMaxControlLine, "a line of this length");
    overlong_ = room_ && !framer_.add({text, bytes});
    if (unauthenticated_) received_ += bytes;
    reader_->on_received();
  }
  void on_closed(const Error& error) override { reader_->on_closed(error); }

  std::unique_ptr<TcpConnection> connection_;
  Reader* reader_ = nullptr;
  LineFramer framer_;
  bool overlong_ = false;
  size_t waiting_ = 0;  // bytes since the last whole line
  Result<void> room_;
  bool unauthenticated_ = false;
  size_t received_ = 0;  // bytes received as a stranger
};

Result<std::optional<std::string_view>> TcpChannel::next() {
  if (!room_) return room_.error();
  if (overlong_) {
    return fail(ErrorCode::kLimit, fmt::format("a line is longer than {} bytes", kMaxControlLine));
  }
  if (unauthenticated_ && !framer_.may_be_object()) {
    return fail(ErrorCode::kInvalidRequest, "this port accepts JSON-RPC only: send hello first");
  }
  const auto line = framer_.next();
  if (line) waiting_ = 0;
  if (!line && unauthenticated_ && received_ == kMaxUnauthenticatedBytes) {
    return fail(ErrorCode::kLimit,
                fmt::format("send hello within the first {} bytes", kMaxUnauthenticatedBytes));
  }
  return line;
}

}  // namespace

void MessageChannel::send_shared(std::span<const SharedText> parts) {
  if (parts.size() == 1) return send(*parts.front());
  std::string line;
  for (const SharedText& part : parts) line += *part;
  send(line);
}

std::unique_ptr<MessageChannel> tcp_channel(std::unique_ptr<TcpConnection> connection) {
  return std::make_unique<TcpChannel>(std::move(connection));
}

}  // namespace sail
