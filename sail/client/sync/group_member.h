// A stream's connection to its group's coordinator (receiver/groups/sync_coordinator.h), which runs
// on a receiver's data port. Reports which frames are complete and receives decisions. After a loss
// or a timeout it reconnects with increasing delay. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/message_buffer.h"

namespace sail {

class GroupMember final : private TcpReader {
 public:
  // kWelcome: the coordinator has no reports of this member yet. Must not destroy the GroupMember.
  using OnVerdict = std::function<void(const GroupVerdict&)>;
  // log must outlive this object.
  GroupMember(Loop& loop, const Log& log, uint32_t stream, Address table, uint64_t secret,
              OnVerdict on_verdict);
  GroupMember(const GroupMember&) = delete;
  GroupMember& operator=(const GroupMember&) = delete;
  ~GroupMember() override = default;

  bool is_at(const Address& table, uint64_t secret) const {
    return table_ == table && secret_ == secret;
  }
  // Steady time of the coordinator's last message, or of construction.
  int64_t heard_ns() const { return heard_ns_; }
  // Sends the report. Dropped while there is no session with the coordinator.
  void say(const GroupReady& ready);

 private:
  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { lose(error.message); }
  void connect();
  void await_sign_of_life();
  // Returns false on a protocol violation.
  bool on_message(const MessageBuffer::Message& message);
  void lose(const std::string& why);

  Loop& loop_;
  const Log& log_;
  const uint32_t stream_;
  const Address table_;
  const uint64_t secret_;
  const OnVerdict on_verdict_;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<TcpConnection> tcp_;
  MessageBuffer messages_;
  Timer timer_;  // reconnect delay, or receive timeout while connected
  int64_t pause_ms_;
  bool seated_ = false;
  int64_t heard_ns_;
};

}  // namespace sail
