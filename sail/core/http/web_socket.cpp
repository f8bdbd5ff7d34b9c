#include "sail/core/http/web_socket.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/text/limits.h"

namespace sail {
namespace {

constexpr size_t kSmallMessage = 64 << 10;  // smaller messages need no memory check

class SocketChannel : public MessageChannel {
 public:
  explicit SocketChannel(std::shared_ptr<LwsSocket> socket) : socket_(std::move(socket)) {}
  ~SocketChannel() override { socket_->abandon(lingering_ms_); }

  void start_reading(Reader& reader) override { socket_->set_reader(&reader); }
  void pause() override { socket_->set_reading(false); }
  void resume() override { socket_->set_reading(true); }
  void set_unauthenticated(bool unauthenticated) override {
    socket_->set_unauthenticated(unauthenticated);
  }
  Result<std::optional<std::string_view>> next() override { return socket_->next(); }
  void send(std::string_view line) override { socket_->send(line); }
  size_t unsent_bytes() const override { return socket_->unsent_bytes(); }
  void close_after_sending(int64_t at_most_ms) override { lingering_ms_ = at_most_ms; }
  Address local_address() const override { return socket_->local(); }
  Address peer_address() const override { return socket_->peer(); }
  ProxiedUser person() const override { return socket_->person(); }

 private:
  std::shared_ptr<LwsSocket> socket_;
  int64_t lingering_ms_ = 0;
};

}  // namespace

std::unique_ptr<MessageChannel> socket_channel(std::shared_ptr<LwsSocket> socket) {
  return std::make_unique<SocketChannel>(std::move(socket));
}

void LwsSocket::on_message_part(std::string_view bytes) {
  if (abandoned_ || mistake_ || reader_ == nullptr) return;
  if (lws_is_first_fragment(connection_) != 0) incoming_.clear();
  if (!messages_.binary && lws_frame_is_binary(connection_) != 0) {
    mistake_ = Error{ErrorCode::kInvalidRequest, "binary messages are not accepted: send text"};
  } else if (incoming_.size() + bytes.size() > messages_.most_bytes) {
    mistake_ = Error{ErrorCode::kLimit,
                     fmt::format("a message is longer than {} bytes", messages_.most_bytes)};
  } else if (auto room = incoming_.size() > kSmallMessage
                             ? ask_for_memory(messages_.most_bytes, "a message of this length")
                             : Result<void>();
             !room) {
    mistake_ = room.error();
  } else if (unauthenticated_ && received_ + bytes.size() > kMaxUnauthenticatedBytes) {
    mistake_ = Error{ErrorCode::kLimit,
                     fmt::format("send hello within the first {} bytes", kMaxUnauthenticatedBytes)};
  } else {
    incoming_ += bytes;
    if (unauthenticated_) received_ += bytes.size();
    if (lws_is_final_fragment(connection_) != 0) {
      arrived_.push_back(std::exchange(incoming_, {}));
    }
  }
  reader_->on_received();
}

void LwsSocket::set_reading(bool reading) {
  if (connection_ != nullptr) lws_rx_flow_control(connection_, reading ? 1 : 0);
}

Result<std::optional<std::string_view>> LwsSocket::next() {
  if (mistake_) return *mistake_;
  if (arrived_.empty()) return std::nullopt;
  taken_ = std::move(arrived_.front());
  arrived_.pop_front();
  return taken_;
}

void LwsSocket::send(std::string_view line) {
  if (connection_ == nullptr) return;
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  queue_.emplace_back(LWS_PRE, '\0').append(line);
  queued_ += line.size();
  lws_callback_on_writable(connection_);
}

// Called when the system can take bytes and libwebsockets holds none.
int LwsSocket::on_writable() {
  writing_ = 0;
  if (queue_.empty()) {
    if (!abandoned_) return 0;
    lws_close_reason(connection_, LWS_CLOSE_STATUS_NORMAL, nullptr, 0);
    return -1;
  }
  std::string message = std::move(queue_.front());
  queue_.pop_front();
  const size_t size = message.size() - LWS_PRE;
  queued_ -= size;
  writing_ = size;
  auto* bytes = reinterpret_cast<unsigned char*>(message.data()) + LWS_PRE;
  if (lws_write(connection_, bytes, size, LWS_WRITE_TEXT) < static_cast<int>(size)) return -1;
  lws_callback_on_writable(connection_);
  return 0;
}

void LwsSocket::on_closed() {
  connection_ = nullptr;
  queue_.clear();
  queued_ = 0;
  writing_ = 0;
  MessageChannel::Reader* reader = std::exchange(reader_, nullptr);
  if (reader != nullptr) {
    reader->on_closed({ErrorCode::kUnavailable, "the peer closed the connection"});
  }
}

void LwsSocket::abandon(int64_t sending_at_most_ms) {
  abandoned_ = true;
  reader_ = nullptr;
  if (connection_ == nullptr) return;
  set_reading(true);  // libwebsockets does not write to a connection that it does not read
  if (sending_at_most_ms > 0) {
    lws_callback_on_writable(connection_);
    end_within(static_cast<int>((sending_at_most_ms + 999) / 1000));
  } else {
    end_within(LWS_TO_KILL_ASYNC);
  }
}

void LwsSocket::end_within(int seconds) {
  lws_set_timeout(connection_, PENDING_TIMEOUT_USER_OK, seconds);
  // Wakes the library, which otherwise checks its timeouts only at the next event.
  lws_cancel_service(lws_get_context(connection_));
}

}  // namespace sail
