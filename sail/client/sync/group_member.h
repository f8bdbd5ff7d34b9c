// A stream's connection to its group's coordinator (receiver/groups/sync_coordinator.h), which runs
// on a receiver's data port. Reports which frames are complete and receives decisions. After a loss
// or a timeout it reconnects after a pause. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/reconnect.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/message_buffer.h"

namespace sail {

class GroupMember final : private TcpReader {
 public:
  // kJoined: the coordinator has no reports of this member yet. Must not destroy the GroupMember.
  using OnDecision = std::function<void(const GroupDecision&)>;
  // log must outlive this object.
  GroupMember(Loop& loop, const Log& log, uint32_t stream, Address coordinator, uint64_t secret,
              OnDecision on_decision);
  GroupMember(const GroupMember&) = delete;
  GroupMember& operator=(const GroupMember&) = delete;
  ~GroupMember() override = default;

  bool is_at(const Address& coordinator, uint64_t secret) const {
    return coordinator_ == coordinator && secret_ == secret;
  }
  // Steady time of the coordinator's last message, or of construction.
  int64_t last_received_ns() const { return last_received_ns_; }
  // Sends the report. Dropped while there is no session with the coordinator.
  void send_vote(const GroupReady& ready);

 private:
  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { lose(error.message); }
  void connect();
  void start_receive_timeout();
  // Returns false on a protocol violation.
  bool on_message(const MessageBuffer::Message& message);
  void lose(const std::string& why);

  Loop& loop_;
  const Log& log_;
  const uint32_t stream_;
  const Address coordinator_;
  const uint64_t secret_;
  const OnDecision on_decision_;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<TcpConnection> tcp_;
  MessageBuffer messages_;
  Timer timer_;  // reconnect delay, or receive timeout while connected
  ReconnectPause pause_;
  bool joined_ = false;
  int64_t last_received_ns_;
};

}  // namespace sail
