// The program itself: options, signals and exit codes.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <optional>

#include "sail/net/process.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/control_messages.h"
#include "tests/support/loop_test.h"

namespace receiver {
namespace {

class ReceiverProgramTest : public testing::Test {
 protected:
  struct End {
    int64_t status = 0;
    int signal = 0;
    bool operator==(const End&) const = default;
  };

  ReceiverProgramTest() {
    auto listener = sail::TcpListener::listen(
        loop_, {"127.0.0.1", 0}, [this](std::unique_ptr<sail::TcpConnection> connection) {
          manager_ = std::make_unique<sail::RpcPeer>(
              loop_, std::move(connection),
              sail::RpcPeer::Handlers{.on_request =
                                          [this](const std::string& method, const sail::Json&,
                                                 const sail::RpcPeer::Reply& reply) {
                                            if (method == "hello") on_hello(reply);
                                          },
                                      .on_closed = [](const sail::Error&) {}});
        });
    EXPECT_TRUE(listener);
    listener_ = *std::move(listener);
    address_ = sail::address_text(listener_->address());
  }

  void on_hello(const sail::RpcPeer::Reply& reply) {
    met_ = true;
    if (refusal_) {
      reply(tl::make_unexpected(*refusal_));
    } else {
      reply(sail::to_json(sail::ReceiverWelcome{
          .wall = "test",
          .wall_size = {64, 64},
          .tiles = {{.name = "t", .wall_rect = {0, 0, 64, 64}, .resolution = {64, 64}}}}));
    }
  }

  void start(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), RECEIVER_PROGRAM);
    auto process =
        sail::Process::spawn(loop_, arguments, environment, [this](int64_t status, int signal) {
          end_ = End{status, signal};
        });
    ASSERT_TRUE(process) << process.error().message;
    process_ = *std::move(process);
  }
  std::optional<End> wait() {
    sail::run_until(loop_, [&] { return end_.has_value(); });
    return end_;
  }

  sail::Loop loop_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::string address_;
  std::unique_ptr<sail::RpcPeer> manager_;
  std::optional<sail::Error> refusal_;
  bool met_ = false;
  std::unique_ptr<sail::Process> process_;
  std::optional<End> end_;
};

constexpr auto kCleanEnd = 0;

TEST_F(ReceiverProgramTest, SignalsEndItCleanly) {
  for (const int signal : {SIGINT, SIGTERM}) {
    end_.reset();
    met_ = false;
    start({"--manager", address_, "--name", "node", "--display=null", "--log-level=off"});
    ASSERT_TRUE(sail::run_until(loop_, [&] { return met_; }));
    process_->signal(signal);
    EXPECT_EQ(wait(), (End{kCleanEnd, 0})) << signal;
  }
}

TEST_F(ReceiverProgramTest, RefusedHelloIsExitCodeOne) {
  refusal_ = {sail::ErrorCode::kNotFound, "the wall has no receiver named 'node'"};
  start({"--manager", address_, "--name", "node", "--display=null", "--log-level=off"});
  EXPECT_EQ(wait(), (End{1, 0}));
}

TEST_F(ReceiverProgramTest, EnvironmentNamesTheManager) {
  start({"--name", "node", "--display=null", "--log-level=off"}, {"VITRAIL_MANAGER=" + address_});
  EXPECT_TRUE(sail::run_until(loop_, [&] { return met_; }));
  process_->signal(SIGTERM);
  EXPECT_EQ(wait(), (End{kCleanEnd, 0}));
}

TEST_F(ReceiverProgramTest, CpuAndGlWithoutDisplayAreExitCodeOne) {
  for (const char* display : {"--display=cpu", "--display=gl"}) {
    end_.reset();
    start({"--manager", address_, "--name", "node", display}, {"DISPLAY=", "WAYLAND_DISPLAY="});
    EXPECT_EQ(wait(), (End{1, 0})) << display;
    EXPECT_FALSE(met_);
  }
}

TEST_F(ReceiverProgramTest, WindowsOfADriverThatWasAskedFor) {
  start({"--manager", address_, "--name", "node", "--display=cpu", "--log-level=off"},
        {"SDL_VIDEODRIVER=dummy"});
  ASSERT_TRUE(sail::run_until(loop_, [&] { return met_; }));
  process_->signal(SIGTERM);
  EXPECT_EQ(wait(), (End{kCleanEnd, 0}));
}

TEST_F(ReceiverProgramTest, OpenGlWithoutADesktop) {
  start({"--manager", address_, "--name", "node", "--display=gl", "--log-level=off"},
        {"SDL_VIDEODRIVER=offscreen"});
  ASSERT_TRUE(sail::run_until(loop_, [&] { return met_; }));
  process_->signal(SIGTERM);
  EXPECT_EQ(wait(), (End{kCleanEnd, 0}));
}

TEST_F(ReceiverProgramTest, WrongOptionsAreRefused) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"--name", "node", "--display=fast"},
                                                    {"--name", "node", "--threads", "0"},
                                                    {"--name", "node", "--manager", "host:port"}}) {
    end_.reset();
    start(arguments);
    const auto end = wait();
    ASSERT_TRUE(end);
    EXPECT_NE(end->status, 0);
    EXPECT_EQ(end->signal, 0);
  }
}

TEST_F(ReceiverProgramTest, HelpAndVersion) {
  for (const char* option : {"--help", "--version"}) {
    end_.reset();
    start({option});
    EXPECT_EQ(wait(), (End{0, 0}));
  }
}

}  // namespace
}  // namespace receiver
