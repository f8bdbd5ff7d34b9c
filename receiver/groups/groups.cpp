#include "receiver/groups/groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/core/wire/data/message_buffer.h"

namespace receiver {
namespace {

// Ticks this far apart mean that the process was suspended.
constexpr int64_t kStoodStillNs = 400'000'000;
constexpr int64_t kTableTickMs = 100;  // heartbeat interval to the members
constexpr int64_t kSeatCloseTimeoutMs = 1000;
// Limit for members that never read their verdicts.
constexpr size_t kMaxUnsentVerdicts = size_t{64} << 10;

}  // namespace

// The connection of one member.
class Groups::Seat final : private sail::TcpReader {
 public:
  // on_lost destroys this object.
  Seat(std::unique_ptr<sail::TcpConnection> connection, uint32_t stream,
       std::function<std::optional<sail::DataError>(const sail::GroupReady&)> on_ready,
       std::function<void()> on_lost)
      : connection_(std::move(connection)),
        stream_(stream),
        on_ready_(std::move(on_ready)),
        on_lost_(std::move(on_lost)) {
    connection_->start_reading(*this);
    tell({.ruling = sail::GroupRuling::kWelcome});
  }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  ~Seat() override = default;

  void tell(const sail::GroupVerdict& verdict) {
    connection_->write_copy(sail::encode(stream_, verdict));
  }
  bool reads() const { return connection_->unsent_bytes() <= kMaxUnsentVerdicts; }
  void close(sail::CloseReason reason, const std::string& text) {
    connection_->write_copy(sail::encode(stream_, sail::CloseMessage{reason, text}));
    connection_->stop_reading();
    sail::TcpConnection::close_after_writes(std::move(connection_), kSeatCloseTimeoutMs);
  }

 private:
  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override {
    messages_.filled(bytes);
    for (;;) {
      const auto message = messages_.next();
      if (message && !*message) return;
      std::optional<sail::DataError> error;
      if (message) {
        error = on_message(**message);
      } else {
        error = message.error();
      }
      if (!error) continue;
      close(error->reason, error->text);
      return lost();
    }
  }
  void on_closed(const sail::Error& /*error*/) override { lost(); }

  std::optional<sail::DataError> on_message(const sail::MessageBuffer::Message& message) {
    if (message.header.type == sail::DataType::kClose) {
      return sail::DataError{sail::CloseReason::kNormal, "the member left"};
    }
    if (message.header.type != sail::DataType::kGroupReady || message.header.stream != stream_) {
      return sail::bad_message(fmt::format("unexpected {} message of stream {} from member {}",
                                           data_type_name(message.header.type),
                                           message.header.stream, stream_));
    }
    const auto ready = sail::decode_group_ready(message.body);
    if (!ready) return ready.error();
    return on_ready_(*ready);
  }
  void lost() {
    const auto on_lost = std::move(on_lost_);
    on_lost();
  }

  std::unique_ptr<sail::TcpConnection> connection_;
  const uint32_t stream_;
  std::function<std::optional<sail::DataError>(const sail::GroupReady&)> on_ready_;
  std::function<void()> on_lost_;
  sail::MessageBuffer messages_;
};

Groups::Groups(sail::Loop& loop, std::function<int64_t(int64_t)> to_wall_ns,
               std::function<void(const sail::GroupAbsent&)> on_absent)
    : loop_(loop),
      to_wall_ns_(std::move(to_wall_ns)),
      on_absent_(std::move(on_absent)),
      tick_(loop) {}

Groups::~Groups() = default;

SyncCoordinator::Now Groups::now() const {
  const int64_t steady_ns = sail::steady_now_ns();
  return {.steady_ns = steady_ns, .wall_ns = to_wall_ns_(steady_ns)};
}

void Groups::set_tables(const sail::GroupTables& told) {
  std::erase_if(tables_, [&](const auto& entry) {
    return std::none_of(told.tables.begin(), told.tables.end(),
                        [&](const auto& one) { return one.secret == entry.first; });
  });
  for (const sail::GroupTableInfo& one : told.tables) {
    Table& table = tables_[one.secret];
    table.rules.set_members(one, sail::steady_now_ns());
    std::erase_if(table.seats, [&](const auto& entry) { return !table.rules.has(entry.first); });
    table.rules.tick(now());  // a removed member may have held up the others
    carry_out(table);
  }
  if (tables_.empty()) return tick_.stop();
  tick_.start(kTableTickMs, kTableTickMs, [this] {
    // Messages of that time are still unread: no member may time out because of it.
    const int64_t now_ns = sail::steady_now_ns();
    if (now_ns - std::exchange(ticked_ns_, now_ns) > kStoodStillNs) return;
    for (auto& [secret, table] : tables_) tick(secret, table);
  });
}

void Groups::tick(uint64_t secret, Table& table) {
  table.rules.tick(now());
  table.rules.send_heartbeat();
  carry_out(table);
  std::vector<uint32_t> absent = table.rules.absent(sail::steady_now_ns());
  if (absent == table.absent) return;
  table.absent = std::move(absent);
  on_absent_({.secret = secret, .streams = table.absent});
}

bool Groups::knows(uint64_t secret, uint32_t stream) const {
  const auto table = tables_.find(secret);
  return table != tables_.end() && table->second.rules.has(stream);
}

void Groups::seat(uint64_t secret, uint32_t stream,
                  std::unique_ptr<sail::TcpConnection> connection) {
  Table& table = tables_.at(secret);
  const auto former = table.seats.extract(stream);
  if (!former.empty()) {
    former.mapped()->close(sail::CloseReason::kReplaced, "a newer connection took its place");
    table.rules.lose(stream, now());
  }
  table.seats[stream] = std::make_unique<Seat>(
      std::move(connection), stream,
      [this, secret, stream](const sail::GroupReady& ready) {
        return on_ready(secret, stream, ready);
      },
      [this, secret, stream] { on_lost(secret, stream); });
  carry_out(table);
}

std::optional<sail::DataError> Groups::on_ready(uint64_t secret, uint32_t stream,
                                                const sail::GroupReady& ready) {
  Table& table = tables_.at(secret);
  const SyncCoordinator::Now now = this->now();
  if (table.rules.is_too_far_ahead(ready, now)) {
    const int64_t ahead_ns = std::max(ready.present_ns, ready.at_ns) - now.wall_ns;
    return sail::bad_message(
        fmt::format("a frame of member {} is due in {} s, which is too far ahead", stream,
                    ahead_ns / sail::kSecondNs));
  }
  table.rules.ready(stream, ready, now);
  carry_out(table);
  return std::nullopt;
}

void Groups::on_lost(uint64_t secret, uint32_t stream) {
  Table& table = tables_.at(secret);
  table.seats.erase(stream);
  table.rules.lose(stream, now());
  carry_out(table);
}

void Groups::carry_out(Table& table) {
  for (const SyncCoordinator::Outgoing& told : table.rules.told()) {
    const auto seat = table.seats.find(told.member);
    if (seat != table.seats.end() && seat->second->reads()) seat->second->tell(told.verdict);
  }
  table.rules.clear_reported();
}

void Groups::shut_down() {
  tick_.stop();
  for (auto& [secret, table] : tables_) {
    for (auto& [stream, seat] : table.seats) {
      seat->close(sail::CloseReason::kShutdown, "the receiver is shutting down");
    }
  }
  tables_.clear();
}

}  // namespace receiver
