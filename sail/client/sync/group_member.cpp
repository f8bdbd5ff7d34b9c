#include "sail/client/sync/group_member.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kFirstRetryMs = 50;  // doubles each time
constexpr int64_t kLongestRetryMs = 1000;

}  // namespace

GroupMember::GroupMember(Loop& loop, const Log& log, uint32_t stream, Address table,
                         uint64_t secret, OnVerdict on_verdict)
    : loop_(loop),
      log_(log),
      stream_(stream),
      table_(std::move(table)),
      secret_(secret),
      on_verdict_(std::move(on_verdict)),
      timer_(loop),
      pause_ms_(kFirstRetryMs),
      heard_ns_(steady_now_ns()) {
  connect();
}

void GroupMember::connect() {
  connecting_ =
      TcpConnection::connect(loop_, table_,
                             [this](Result<std::unique_ptr<TcpConnection>> connection) {
                               connecting_.reset();
                               if (!connection) return lose(connection.error().message);
                               tcp_ = *std::move(connection);
                               messages_ = {};
                               tcp_->start_reading(*this);
                               tcp_->write_copy(encode(stream_, GroupOpen{.secret = secret_}));
                               await_sign_of_life();
                             },
                             {.certificate = table_.certificate});
}

void GroupMember::await_sign_of_life() {
  timer_.start(kStallTimeoutMs, 0, [this] { lose("no message received in time"); });
}

void GroupMember::say(const GroupReady& ready) {
  if (seated_) tcp_->write_copy(encode(stream_, ready));
}

void GroupMember::on_read(size_t bytes) {
  messages_.filled(bytes);
  while (tcp_ != nullptr) {
    const auto message = messages_.next();
    if (!message) return lose(message.error().text);
    if (!*message) return;
    if (!on_message(**message)) return lose("invalid message");
  }
}

bool GroupMember::on_message(const MessageBuffer::Message& message) {
  if (message.header.type == DataType::kClose) {
    const auto close = decode_close(message.body);
    lose(close ? close->text : close.error().text);
    return true;
  }
  if (message.header.type != DataType::kGroupVerdict) return false;
  const auto verdict = decode_group_verdict(message.body);
  if (!verdict || seated_ == (verdict->ruling == GroupRuling::kWelcome)) return false;
  seated_ = true;
  pause_ms_ = kFirstRetryMs;
  heard_ns_ = steady_now_ns();
  await_sign_of_life();
  on_verdict_(*verdict);
  return true;
}

void GroupMember::lose(const std::string& why) {
  log_.debug("stream {}: no connection to its group's coordinator at {}: {}", stream_,
             address_text(table_), why);
  tcp_.reset();
  seated_ = false;
  timer_.start(pause_ms_, 0, [this] { connect(); });
  pause_ms_ = std::min(pause_ms_ * 2, kLongestRetryMs);
}

}  // namespace sail
