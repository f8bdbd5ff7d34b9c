// A stream's seat at its group's table (receiver/group_table.h), which is at a receiver's data
// port: connects, and after a loss, or where nothing is heard any more, tries again with growing
// pauses; says what is whole, hears what is ruled. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wire/data_messages.h"
#include "sail/wire/message_buffer.h"

namespace sail {

class GroupMember final : private TcpReader {
 public:
  // kWelcome: the table has heard nothing yet. It may not destroy the member.
  using OnVerdict = std::function<void(const GroupVerdict&)>;
  // log outlives this.
  GroupMember(Loop& loop, const Log& log, uint32_t stream, Address table, uint64_t secret,
              OnVerdict on_verdict);
  GroupMember(const GroupMember&) = delete;
  GroupMember& operator=(const GroupMember&) = delete;
  ~GroupMember() override = default;

  bool is_at(const Address& table, uint64_t secret) const {
    return table_ == table && secret_ == secret;
  }
  // When the table, or this, was heard of last; steady.
  int64_t heard_ns() const { return heard_ns_; }
  // Nobody hears it while there is no seat.
  void say(const GroupReady& ready);

 private:
  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { lose(error.message); }
  void connect();
  void await_sign_of_life();
  // False: the table does not keep to the protocol.
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
  Timer timer_;  // the pause before the next try, or patience with a silent table
  int64_t pause_ms_;
  bool seated_ = false;
  int64_t heard_ns_;
};

}  // namespace sail
