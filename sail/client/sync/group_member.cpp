#include "sail/client/sync/group_member.h"

#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kFirstRetryMs = 50;

}  // namespace

GroupMember::GroupMember(Loop& loop, const Log& log, uint32_t stream, Address coordinator,
                         uint64_t secret, OnDecision on_decision)
    : loop_(loop),
      log_(log),
      stream_(stream),
      coordinator_(std::move(coordinator)),
      secret_(secret),
      on_decision_(std::move(on_decision)),
      timer_(loop),
      pause_(kFirstRetryMs),
      last_received_ns_(steady_now_ns()) {
  connect();
}

void GroupMember::connect() {
  connecting_ =
      TcpConnection::connect(loop_, coordinator_,
                             [this](Result<std::unique_ptr<TcpConnection>> connection) {
                               connecting_.reset();
                               if (!connection) return lose(connection.error().message);
                               tcp_ = *std::move(connection);
                               messages_ = {};
                               tcp_->start_reading(*this);
                               tcp_->write_copy(encode(stream_, GroupOpen{.secret = secret_}));
                               start_receive_timeout();
                             },
                             {.reach_ms = kReachMs, .certificate = coordinator_.certificate});
}

void GroupMember::start_receive_timeout() {
  timer_.start(kStallTimeoutMs, 0, [this] { lose("no message received in time"); });
}

void GroupMember::send_vote(const GroupReady& ready) {
  if (joined_) tcp_->write_copy(encode(stream_, ready));
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
  if (message.header.type != DataType::kGroupDecision) return false;
  const auto decision = decode_group_decision(message.body);
  if (!decision || joined_ == (decision->kind == DecisionKind::kJoined)) return false;
  joined_ = true;
  pause_.restart();
  last_received_ns_ = steady_now_ns();
  start_receive_timeout();
  on_decision_(*decision);
  return true;
}

void GroupMember::lose(const std::string& why) {
  log_.debug("stream {}: no connection to its group's coordinator at {}: {}", stream_,
             address_text(coordinator_), why);
  tcp_.reset();
  joined_ = false;
  timer_.start(pause_.take_ms(), 0, [this] { connect(); });
}

}  // namespace sail
