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
constexpr int64_t kStallNs = 400'000'000;
constexpr int64_t kHeartbeatIntervalMs = 100;  // heartbeat interval to the members
constexpr int64_t kMemberCloseTimeoutMs = 1000;
// Limit for members that never read their decisions.
constexpr size_t kMaxUnsentDecisions = size_t{64} << 10;

}  // namespace

// The connection of one member.
class Groups::MemberConnection final : private sail::TcpReader {
 public:
  // on_lost destroys this object.
  MemberConnection(std::unique_ptr<sail::TcpConnection> connection, uint32_t stream,
                   std::function<std::optional<sail::DataError>(const sail::GroupReady&)> on_ready,
                   std::function<void()> on_lost)
      : connection_(std::move(connection)),
        stream_(stream),
        on_ready_(std::move(on_ready)),
        on_lost_(std::move(on_lost)) {
    connection_->start_reading(*this);
    send({.kind = sail::DecisionKind::kJoined});
  }
  MemberConnection(const MemberConnection&) = delete;
  MemberConnection& operator=(const MemberConnection&) = delete;
  ~MemberConnection() override = default;

  void send(const sail::GroupDecision& decision) {
    connection_->write_copy(sail::encode(stream_, decision));
  }
  bool reads() const { return connection_->unsent_bytes() <= kMaxUnsentDecisions; }
  void close(sail::CloseReason reason, const std::string& text) {
    connection_->write_copy(sail::encode(stream_, sail::CloseMessage{reason, text}));
    connection_->stop_reading();
    sail::TcpConnection::close_after_writes(std::move(connection_), kMemberCloseTimeoutMs);
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
               std::function<void(const sail::GroupAbsent&)> on_absent,
               std::function<void()> on_ready)
    : loop_(loop),
      to_wall_ns_(std::move(to_wall_ns)),
      on_absent_(std::move(on_absent)),
      on_ready_(std::move(on_ready)),
      tick_(loop) {}

Groups::~Groups() = default;

SyncCoordinator::Now Groups::now() const {
  const int64_t steady_ns = sail::steady_now_ns();
  return {.steady_ns = steady_ns, .wall_ns = to_wall_ns_(steady_ns)};
}

void Groups::set_groups(const sail::CoordinatedGroups& groups) {
  std::erase_if(groups_, [&](const auto& entry) {
    return std::none_of(groups.groups.begin(), groups.groups.end(),
                        [&](const auto& one) { return one.secret == entry.first; });
  });
  for (const sail::CoordinatedGroup& one : groups.groups) {
    Group& group = groups_[one.secret];
    group.coordinator.set_members(one, sail::steady_now_ns());
    std::erase_if(group.connections,
                  [&](const auto& entry) { return !group.coordinator.has(entry.first); });
    group.coordinator.tick(now());  // a removed member may have held up the others
    execute(group);
  }
  if (groups_.empty()) return tick_.stop();
  tick_.start(kHeartbeatIntervalMs, kHeartbeatIntervalMs, [this] {
    // After a suspension, messages are still unread. No member may time out because of the
    // suspension.
    const int64_t now_ns = sail::steady_now_ns();
    if (now_ns - std::exchange(ticked_ns_, now_ns) > kStallNs) return;
    for (auto& [secret, group] : groups_) tick(secret, group);
  });
}

void Groups::tick(uint64_t secret, Group& group) {
  group.coordinator.tick(now());
  group.coordinator.send_heartbeat();
  execute(group);
  std::vector<uint32_t> absent = group.coordinator.absent(sail::steady_now_ns());
  if (absent == group.absent) return;
  group.absent = std::move(absent);
  on_absent_({.secret = secret, .streams = group.absent});
}

bool Groups::has_member(uint64_t secret, uint32_t stream) const {
  const auto group = groups_.find(secret);
  return group != groups_.end() && group->second.coordinator.has(stream);
}

void Groups::add_member(uint64_t secret, uint32_t stream,
                        std::unique_ptr<sail::TcpConnection> connection) {
  Group& group = groups_.at(secret);
  const auto former = group.connections.extract(stream);
  if (!former.empty()) {
    former.mapped()->close(sail::CloseReason::kReplaced, "a newer connection took its place");
    group.coordinator.lose(stream, now());
  }
  group.connections[stream] = std::make_unique<MemberConnection>(
      std::move(connection), stream,
      [this, secret, stream](const sail::GroupReady& ready) {
        return on_ready(secret, stream, ready);
      },
      [this, secret, stream] { on_lost(secret, stream); });
  execute(group);
}

std::optional<sail::DataError> Groups::on_ready(uint64_t secret, uint32_t stream,
                                                const sail::GroupReady& ready) {
  Group& group = groups_.at(secret);
  const SyncCoordinator::Now now = this->now();
  if (group.coordinator.is_too_far_ahead(ready, now)) {
    const int64_t ahead_ns = std::max(ready.present_ns, ready.at_ns) - now.wall_ns;
    return sail::bad_message(
        fmt::format("a frame of member {} is due in {} s, which is too far ahead", stream,
                    ahead_ns / sail::kSecondNs));
  }
  if (on_ready_) on_ready_();
  group.coordinator.ready(stream, ready, now);
  execute(group);
  return std::nullopt;
}

void Groups::on_lost(uint64_t secret, uint32_t stream) {
  Group& group = groups_.at(secret);
  group.connections.erase(stream);
  group.coordinator.lose(stream, now());
  execute(group);
}

void Groups::execute(Group& group) {
  for (const SyncCoordinator::Outgoing& message : group.coordinator.outgoing()) {
    const auto connection = group.connections.find(message.member);
    if (connection != group.connections.end() && connection->second->reads())
      connection->second->send(message.decision);
  }
  group.coordinator.clear_outgoing();
}

void Groups::shut_down() {
  tick_.stop();
  for (auto& [secret, group] : groups_) {
    for (auto& [stream, connection] : group.connections) {
      connection->close(sail::CloseReason::kShutdown, "the receiver is shutting down");
    }
  }
  groups_.clear();
}

}  // namespace receiver
