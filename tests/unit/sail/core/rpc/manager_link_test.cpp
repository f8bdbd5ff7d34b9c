#include "sail/core/rpc/manager_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/time/clock.h"
#include "sail/core/time/system_clock.h"
#include "sail/core/wire/stats.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

// A fake manager: answers hellos as scripted, and keeps its sessions.
class FakeManager {
 public:
  explicit FakeManager(Loop& loop) : loop_(loop) {}

  void listen(const Address& at) {
    auto listening = TcpListener::listen(
        loop_, at,
        [this](std::unique_ptr<TcpConnection> connection) { take(std::move(connection)); });
    ASSERT_TRUE(listening) << listening.error().message;
    listener_ = std::move(*listening);
    address_ = listener_->address();
  }
  void stop() {
    listener_.reset();
    peers_.clear();
  }
  const Address& address() const { return address_; }
  RpcPeer& newest() { return *peers_.back(); }

  // Answer to a hello; empty optional: no answer.
  std::optional<Result<Json>> hello_answer = Json{{"wall", "test"}};
  std::optional<Address> refers_to;
  std::vector<Json> hellos;
  int64_t ahead_ns = 3'600'000'000'000;  // offset of its clock
  std::optional<ClockStats> clock_stats;

 private:
  void take(std::unique_ptr<TcpConnection> connection) {
    peers_.push_back(std::make_unique<RpcPeer>(
        loop_, std::move(connection),
        RpcPeer::Handlers{
            [this](const std::string& method, const Json& params, const RpcPeer::Reply& reply) {
              if (method == "clock") {
                reply(Json{{"wall_ns", steady_now_ns() + ahead_ns}});
                return;
              }
              if (method == "clock_stats") {
                clock_stats = message_from_json<ClockStats>(params).value();
                return;
              }
              if (method == "host_stats") return;
              ASSERT_EQ(method, "hello");
              hellos.push_back(params);
              if (hello_answer) reply(*hello_answer);
            },
            {}}));
    if (refers_to) peers_.back()->refer_to(*refers_to);
  }

  Loop& loop_;
  std::unique_ptr<TcpListener> listener_;
  std::vector<std::unique_ptr<RpcPeer>> peers_;
  Address address_;
};

size_t lines_with(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class ManagerLinkTest : public testing::Test {
 protected:
  void SetUp() override { manager_.listen(kAnyPort); }
  void make_link(const ManagerLinkTimes& times = {.first_pause_ms = 1, .longest_pause_ms = 8}) {
    link_ = std::make_unique<ManagerLink>(
        loop_, manager_.address(),
        [this](const Address& local) { return Hello{.role = role_, .name = address_text(local)}; },
        ManagerLink::Handlers{[this](const Json& result) {
                                EXPECT_NE(link_->peer(), nullptr);
                                welcomes_.push_back(result);
                              },
                              [this](const std::string& method, const Json&,
                                     const RpcPeer::Reply&) { methods_.push_back(method); },
                              [this](const Error& error) {
                                EXPECT_EQ(link_->peer(), nullptr);
                                losses_.push_back(error);
                              },
                              [this](const Error& error) { refusals_.push_back(error); },
                              [this](const ClockLine& line, bool exchanged) {
                                clocks_.push_back(line.offset_ns);
                                if (exchanged && !exchanged_) first_exchange_ = clocks_.size();
                                exchanged_ = exchanged;
                              },
                              [this] { ++heartbeats_; }},
        log_, times);
  }
  [[nodiscard]] bool wait_for_welcomes(size_t count) {
    return run_until(loop_, [&] { return welcomes_.size() == count; });
  }

  Loop loop_;
  Log log_{"test", LogLevel::kInfo};
  FakeManager manager_{loop_};
  Role role_ = Role::kUi;
  std::unique_ptr<ManagerLink> link_;
  std::vector<Json> welcomes_;
  std::vector<int64_t> clocks_;
  bool exchanged_ = false;
  size_t first_exchange_ = 0;  // number of clocks after it
  int heartbeats_ = 0;
  std::vector<std::string> methods_;
  std::vector<Error> losses_;
  std::vector<Error> refusals_;
};

TEST_F(ManagerLinkTest, SaysHelloAndTalksBothWays) {
  make_link();
  EXPECT_EQ(link_->peer(), nullptr);
  ASSERT_TRUE(wait_for_welcomes(1));
  EXPECT_EQ(welcomes_[0], (Json{{"wall", "test"}}));
  ASSERT_EQ(manager_.hellos.size(), 1U);
  EXPECT_EQ(manager_.hellos[0]["name"], address_text(manager_.newest().peer_address()));

  manager_.newest().notify("scene", Json::object());
  ASSERT_TRUE(run_until(loop_, [&] { return !methods_.empty(); }));
  EXPECT_EQ(methods_, std::vector<std::string>{"scene"});
}

TEST_F(ManagerLinkTest, KeepsTheClockOfApplicationsAndReceivers) {
  role_ = Role::kApplication;
  make_link({.first_pause_ms = 1, .heartbeat_ms = 1});
  ASSERT_TRUE(run_until(loop_, [&] { return clocks_.size() >= 8 && heartbeats_ > 0; }));
  EXPECT_EQ(first_exchange_, 1U) << "the application need not wait for the others";
  EXPECT_NEAR(static_cast<double>(clocks_.back() - manager_.ahead_ns), 0, 1e9);
  const size_t before = clocks_.size();
  ASSERT_TRUE(run_until(loop_, [&] { return clocks_.size() > before; })) << "with heartbeats";

  ASSERT_TRUE(run_until(loop_, [&] { return manager_.clock_stats.has_value(); }));
  EXPECT_EQ(manager_.clock_stats->source, ClockSource::kManager);
  EXPECT_NEAR(manager_.clock_stats->offset_us * 1e3, static_cast<double>(manager_.ahead_ns), 1e9);
  EXPECT_GT(manager_.clock_stats->error_us, 0);
  EXPECT_GT(manager_.clock_stats->round_trip_us, 0);

  testing::internal::CaptureStderr();
  const Address address = manager_.address();
  manager_.stop();
  manager_.ahead_ns = 0;
  manager_.listen(address);
  ASSERT_TRUE(wait_for_welcomes(2));
  clocks_.clear();
  ASSERT_TRUE(run_until(loop_, [&] { return !clocks_.empty(); }));
  EXPECT_LT(clocks_.front(), 1'000'000'000) << "another manager, another clock";
  EXPECT_EQ(lines_with(testing::internal::GetCapturedStderr(), "the manager changed"), 1U);
}

TEST_F(ManagerLinkTest, GoesToTheStandbyAndToNoFormerManager) {
  FakeManager standby(loop_);
  standby.listen(kAnyPort);
  const Address first = manager_.address();
  const Address second = standby.address();
  manager_.hello_answer = Json{{"term", 2}, {"standby", address_text(second)}};
  standby.hello_answer = fail(ErrorCode::kUnavailable, "stands by");
  make_link();
  ASSERT_TRUE(wait_for_welcomes(1));
  EXPECT_FALSE(manager_.hellos[0].contains("term"));

  manager_.stop();
  ASSERT_TRUE(run_until(loop_, [&] { return standby.hellos.size() >= 2; })) << "both, in turn";
  EXPECT_EQ(standby.hellos[0]["term"], 2);
  EXPECT_EQ(losses_.size(), 1U);
  standby.hello_answer = Json{{"term", 3}};
  ASSERT_TRUE(wait_for_welcomes(2));

  standby.stop();
  manager_.listen(first);
  const size_t before = manager_.hellos.size();
  ASSERT_TRUE(run_until(loop_, [&] { return manager_.hellos.size() >= before + 2; }));
  EXPECT_EQ(manager_.hellos.back()["term"], 3);
  EXPECT_EQ(welcomes_.size(), 2U) << "its time is over";
  standby.listen(second);
  ASSERT_TRUE(wait_for_welcomes(3));
  EXPECT_TRUE(refusals_.empty());
}

// The standby took over from a manager that had lost it, as in a network partition.
TEST_F(ManagerLinkTest, GoesToTheStandbyThatItsManagerHadLost) {
  FakeManager standby(loop_);
  standby.listen(kAnyPort);
  manager_.hello_answer = Json{{"standby", address_text(standby.address())}};
  make_link();
  ASSERT_TRUE(wait_for_welcomes(1));
  manager_.newest().notify("standby", {{"address", ""}});
  manager_.newest().notify("scene", Json::object());
  ASSERT_TRUE(run_until(loop_, [&] { return !methods_.empty(); }));
  manager_.stop();
  ASSERT_TRUE(wait_for_welcomes(2));
  EXPECT_EQ(standby.hellos.size(), 1U);
}

TEST_F(ManagerLinkTest, GoesWhereAStandbySaysThatItsManagerIs) {
  FakeManager ruler(loop_);
  ruler.listen(kAnyPort);
  manager_.hello_answer = fail(ErrorCode::kUnavailable, "stands by");
  manager_.refers_to = ruler.address();
  make_link();
  ASSERT_TRUE(wait_for_welcomes(1));
  EXPECT_EQ(manager_.hellos.size(), 1U);
  EXPECT_EQ(ruler.hellos.size(), 1U);
}

TEST_F(ManagerLinkTest, ReferralsDoNotReplaceTheConfiguredAddress) {
  FakeManager near(loop_);
  FakeManager far(loop_);
  near.listen(kAnyPort);
  far.listen(kAnyPort);
  for (FakeManager* manager : {&manager_, &near, &far}) {
    manager->hello_answer = fail(ErrorCode::kUnavailable, "stands by");
  }
  manager_.refers_to = near.address();
  near.refers_to = far.address();
  make_link();
  ASSERT_TRUE(run_until(loop_, [&] { return !far.hellos.empty(); }));
  manager_.hello_answer = Json::object();
  ASSERT_TRUE(wait_for_welcomes(1));
  EXPECT_EQ(manager_.hellos.size(), 2U);
}

TEST_F(ManagerLinkTest, HearsOfAStandbyLater) {
  FakeManager standby(loop_);
  standby.listen(kAnyPort);
  make_link();
  ASSERT_TRUE(wait_for_welcomes(1));
  manager_.newest().notify("standby", {{"address", address_text(standby.address())}});
  manager_.newest().notify("scene", Json::object());
  ASSERT_TRUE(run_until(loop_, [&] { return !methods_.empty(); }));
  EXPECT_EQ(methods_, std::vector<std::string>{"scene"}) << "that is the link's own matter";
  manager_.stop();
  ASSERT_TRUE(wait_for_welcomes(2));
  EXPECT_EQ(standby.hellos.size(), 1U);
}

TEST_F(ManagerLinkTest, TheClockIsHeldWhenTheManagerComesBackWithTheSame) {
  testing::internal::CaptureStderr();
  role_ = Role::kReceiver;
  make_link({.first_pause_ms = 1, .heartbeat_ms = 1});
  ASSERT_TRUE(run_until(loop_, [&] { return exchanged_ && heartbeats_ > 0; }));
  const Address address = manager_.address();
  manager_.stop();
  manager_.listen(address);
  ASSERT_TRUE(wait_for_welcomes(2));
  clocks_.clear();
  ASSERT_TRUE(run_until(loop_, [&] { return clocks_.size() >= 8; }));
  EXPECT_EQ(lines_with(testing::internal::GetCapturedStderr(), "jumps"), 0U);
}

TEST_F(ManagerLinkTest, TheSystemsClockIsWallTimeWhereTheManagerSaysSo) {
  testing::internal::CaptureStderr();
  role_ = Role::kApplication;
  manager_.hello_answer = Json{{"wall", "test"}, {"clock", "system"}};
  const SystemClockReading now = read_system_clock();
  manager_.ahead_ns = now.system_ns - now.steady_ns;
  make_link({.first_pause_ms = 1, .heartbeat_ms = 1});
  ASSERT_TRUE(run_until(loop_, [&] { return exchanged_ && manager_.clock_stats.has_value(); }));
  EXPECT_NEAR(static_cast<double>(clocks_.back() - (now.system_ns - now.steady_ns)), 0, 1e9);
  EXPECT_EQ(manager_.clock_stats->source, ClockSource::kSystem);
  EXPECT_EQ(manager_.clock_stats->synchronised, now.synchronised);
  EXPECT_NEAR(manager_.clock_stats->offset_us, 0, 1e6);
  manager_.stop();
  ASSERT_TRUE(run_until(loop_, [&] { return losses_.size() == 1; }));
  clocks_.clear();
  EXPECT_TRUE(run_until(loop_, [&] { return !clocks_.empty(); })) << "it goes on by itself";
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(lines_with(said, "wall time now follows this machine's clock"), 1U) << said;
}

TEST_F(ManagerLinkTest, AClockThatNobodyKnowsIsTakenForTheManagers) {
  testing::internal::CaptureStderr();
  role_ = Role::kApplication;
  manager_.hello_answer = Json{{"clock", "sundial"}};
  make_link();
  ASSERT_TRUE(run_until(loop_, [&] { return exchanged_; }));
  EXPECT_NEAR(static_cast<double>(clocks_.back() - manager_.ahead_ns), 0, 1e9);
  EXPECT_EQ(lines_with(testing::internal::GetCapturedStderr(), "using the manager's clock"), 1U);
}

TEST_F(ManagerLinkTest, ComesBackWithTheManager) {
  testing::internal::CaptureStderr();
  make_link();
  ASSERT_TRUE(wait_for_welcomes(1));
  const Address address = manager_.address();
  manager_.stop();
  ASSERT_TRUE(run_until(loop_, [&] { return losses_.size() == 1; }));
  // Several failed attempts.
  int rounds = 0;
  Timer timer(loop_);
  timer.start(0, 10, [&] { ++rounds; });
  ASSERT_TRUE(run_until(loop_, [&] { return rounds == 10; }));
  EXPECT_EQ(losses_.size(), 1U);

  manager_.listen(address);
  ASSERT_TRUE(wait_for_welcomes(2));
  EXPECT_EQ(manager_.hellos.size(), 2U);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(lines_with(said, "\n"), 2U) << said;
  EXPECT_EQ(lines_with(said, "lost the manager at " + address_text(address)), 1U) << said;
  EXPECT_EQ(lines_with(said, "connected to the manager at " + address_text(address)), 1U) << said;
}

TEST_F(ManagerLinkTest, WaitsForAManagerThatStartsLater) {
  const Address address = manager_.address();
  manager_.stop();
  testing::internal::CaptureStderr();
  make_link();
  int rounds = 0;
  Timer timer(loop_);
  timer.start(0, 10, [&] { ++rounds; });
  ASSERT_TRUE(run_until(loop_, [&] { return rounds == 5; }));
  manager_.listen(address);
  ASSERT_TRUE(wait_for_welcomes(1));
  EXPECT_TRUE(losses_.empty()) << "what never was cannot be lost";
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(lines_with(said, "\n"), 2U) << said;
  EXPECT_EQ(lines_with(said, "cannot reach the manager"), 1U) << said;
}

TEST_F(ManagerLinkTest, AManagerOfAnotherReleaseIsTold) {
  testing::internal::CaptureStderr();
  manager_.hello_answer = Json{{"version", "0.0.1"}};
  make_link();
  for (size_t i = 1; i <= 3; ++i) {
    ASSERT_TRUE(wait_for_welcomes(i));
    if (i < 3) manager_.stop();
    if (i < 3) manager_.listen(manager_.address());
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(lines_with(said, "runs release 0.0.1"), 1U) << said;
}

TEST_F(ManagerLinkTest, ARefusalIsFinal) {
  manager_.hello_answer = fail(ErrorCode::kUnauthorized, "wrong key");
  make_link();
  ASSERT_TRUE(run_until(loop_, [&] { return !refusals_.empty(); }));
  EXPECT_EQ(refusals_, (std::vector<Error>{{ErrorCode::kUnauthorized, "wrong key"}}));
  run_some(loop_, 50);
  EXPECT_EQ(manager_.hellos.size(), 1U);
  EXPECT_EQ(refusals_.size(), 1U);
  EXPECT_TRUE(losses_.empty());
  EXPECT_EQ(link_->peer(), nullptr);
}

TEST_F(ManagerLinkTest, ARefusalThatPassesIsTriedAgain) {
  testing::internal::CaptureStderr();
  manager_.hello_answer = fail(ErrorCode::kLimit, "full");
  make_link();
  ASSERT_TRUE(run_until(loop_, [&] { return manager_.hellos.size() == 3; }));
  manager_.hello_answer = Json::object();
  ASSERT_TRUE(wait_for_welcomes(1));
  EXPECT_TRUE(refusals_.empty());
  EXPECT_TRUE(losses_.empty());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(lines_with(said, "full"), 1U) << said;
}

TEST_F(ManagerLinkTest, ANameThatIsTakenIsFinalAtFirstAndPassesAfterALoss) {
  const Error taken{ErrorCode::kConflict, "a receiver 'left' is connected already"};
  make_link();
  ASSERT_TRUE(wait_for_welcomes(1));
  const Address address = manager_.address();
  manager_.hello_answer = taken;
  manager_.stop();
  ASSERT_TRUE(run_until(loop_, [&] { return losses_.size() == 1; }));
  manager_.listen(address);
  ASSERT_TRUE(run_until(loop_, [&] { return manager_.hellos.size() >= 3; }));
  EXPECT_TRUE(refusals_.empty()) << "the manager may not have noticed the loss yet";

  make_link();
  ASSERT_TRUE(run_until(loop_, [&] { return !refusals_.empty(); }));
  EXPECT_EQ(refusals_, std::vector<Error>{taken});
}

TEST_F(ManagerLinkTest, AHelloWithoutAnswerIsTriedAgain) {
  manager_.hello_answer.reset();
  make_link({.first_pause_ms = 1, .longest_pause_ms = 8, .hello_timeout_ms = 10});
  ASSERT_TRUE(run_until(loop_, [&] { return manager_.hellos.size() == 2; }));
  manager_.hello_answer = Json::object();
  EXPECT_TRUE(wait_for_welcomes(1));
}

TEST_F(ManagerLinkTest, RequestsBeforeTheWelcomeAreRefused) {
  manager_.hello_answer.reset();
  make_link();
  ASSERT_TRUE(run_until(loop_, [&] { return manager_.hellos.size() == 1; }));
  std::optional<Result<Json>> answer;
  manager_.newest().call("x", Json::object(), [&](const auto& result) { answer = result; });
  ASSERT_TRUE(run_until(loop_, [&] { return answer.has_value(); }));
  EXPECT_FALSE(*answer);
  EXPECT_TRUE(methods_.empty());
}

TEST_F(ManagerLinkTest, ASilentManagerIsLost) {
  // Accepts connections, answers the hello, and hangs.
  struct Hanging : Collector {
    std::unique_ptr<TcpConnection> connection;
  };
  std::vector<std::unique_ptr<Hanging>> sessions;
  const Address address = manager_.address();
  manager_.stop();
  auto listening = TcpListener::listen(loop_, address, [&](auto connection) {
    sessions.push_back(std::make_unique<Hanging>());
    Hanging& session = *sessions.back();
    session.connection = std::move(connection);
    session.connection->start_reading(session);
    session.then = [&session] {
      const bool hello = session.text().find("\"hello\"") != std::string::npos;
      const bool answered = std::exchange(session.then, nullptr) == nullptr;
      if (!hello || answered) return;
      session.connection->write_copy(as_bytes(result_line(1, Json::object())));
    };
  });
  ASSERT_TRUE(listening);
  make_link(
      {.first_pause_ms = 1, .longest_pause_ms = 8, .heartbeat_ms = 5, .heartbeat_timeout_ms = 50});
  ASSERT_TRUE(run_until(loop_, [&] { return losses_.size() == 2; }));
  EXPECT_EQ(losses_[0].code, ErrorCode::kTimeout);
  EXPECT_EQ(losses_[1].code, ErrorCode::kTimeout);
  EXPECT_GE(sessions.size(), 2U);
}

TEST_F(ManagerLinkTest, MayBeDestroyedInEveryCallback) {
  const auto destroy = [this](const auto&...) { link_.reset(); };
  const auto make = [&](ManagerLink::Handlers handlers) {
    link_ = std::make_unique<ManagerLink>(
        loop_, manager_.address(), [](const Address&) { return Hello(); }, std::move(handlers),
        log_, ManagerLinkTimes{.first_pause_ms = 1});
  };
  const auto gone = [this] { return !link_; };
  make({.on_connected = destroy, .on_request = {}, .on_lost = {}, .on_refused = {}});
  EXPECT_TRUE(run_until(loop_, gone));

  make({.on_connected = [&](const auto&) { manager_.newest().notify("x", Json::object()); },
        .on_request = destroy,
        .on_lost = {},
        .on_refused = {}});
  EXPECT_TRUE(run_until(loop_, gone));

  manager_.hello_answer = fail(ErrorCode::kUnauthorized, "no");
  make({.on_connected = {}, .on_request = {}, .on_lost = {}, .on_refused = destroy});
  EXPECT_TRUE(run_until(loop_, gone));

  manager_.hello_answer = Json::object();
  make({.on_connected = [&](const auto&) { loop_.post([&] { manager_.stop(); }); },
        .on_request = {},
        .on_lost = destroy,
        .on_refused = {}});
  EXPECT_TRUE(run_until(loop_, gone));

  link_ = std::make_unique<ManagerLink>(
      loop_, manager_.address(), [](const Address&) { return Hello(); }, ManagerLink::Handlers{},
      log_);
  link_.reset();  // while connecting
  run_some(loop_);
}

}  // namespace
}  // namespace sail
