#include "sail/client/sync/group_member.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

constexpr uint32_t kStream = 3;

// The coordinator and the member share a loop.
class GroupMemberTest : public testing::Test {
 protected:
  GroupMemberTest() {
    auto listening = TcpListener::listen(loop_, {"127.0.0.1", 0}, [this](auto connection) {
      ++connections_;
      coordinator_ = std::move(connection);
      send(DecisionKind::kJoined);
    });
    EXPECT_TRUE(listening);
    listener_ = *std::move(listening);
    member_ = std::make_unique<GroupMember>(
        loop_, log_, kStream, listener_->address(), 1,
        [this](const GroupDecision& decision) { on_decision_(decision.kind); });
  }
  void send(DecisionKind kind) {
    coordinator_->write_copy(encode(kStream, GroupDecision{.kind = kind}));
  }

  Loop loop_;
  Log log_{"test", LogLevel::kOff};
  int connections_ = 0;
  std::function<void(DecisionKind)> on_decision_ = [](DecisionKind) {};
  std::unique_ptr<TcpConnection> coordinator_;
  std::unique_ptr<TcpListener> listener_;
  std::unique_ptr<GroupMember> member_;
};

// Its timeout is over when it continues, but it has not read what arrived meanwhile.
TEST_F(GroupMemberTest, AMemberThatWasStalledReadsBeforeItGivesUpItsCoordinator) {
  bool received = false;
  on_decision_ = [&](DecisionKind kind) {
    if (kind == DecisionKind::kHeartbeat) received = true;
    if (received || connections_ > 1) return loop_.stop();
    loop_.post([this] {
      send(DecisionKind::kHeartbeat);
      std::this_thread::sleep_for(std::chrono::milliseconds(kStallTimeoutMs + 50));
    });
  };
  loop_.run();
  EXPECT_TRUE(received);
  EXPECT_EQ(connections_, 1);
}

TEST_F(GroupMemberTest, ASilentCoordinatorIsConnectedToAgain) {
  on_decision_ = [&](DecisionKind) {
    if (connections_ > 1) loop_.stop();
  };
  loop_.run();
  EXPECT_EQ(connections_, 2);
}

}  // namespace
}  // namespace sail
