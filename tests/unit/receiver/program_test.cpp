// The program: options, signals and exit codes.
#include <gtest/gtest.h>
#include <signal.h>
#include <wayland-server.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <thread>

#include "receiver/display/sdl_windows.h"
#include "sail/core/process/process.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/stats.h"
#include "tests/support/environment_variable.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/receiver/intake/data_peer.h"

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
              sail::RpcPeer::Handlers{
                  .on_request =
                      [this](const std::string& method, const sail::Json& params,
                             const sail::RpcPeer::Reply& reply) {
                        if (method == "hello") on_hello(params, reply);
                        if (method == "receiver_stats") {
                          stats_ = sail::message_from_json<sail::ReceiverStats>(params).value();
                        }
                      },
                  .on_closed = [](const sail::Error&) {}});
        });
    EXPECT_TRUE(listener);
    listener_ = *std::move(listener);
    address_ = sail::address_text(listener_->address());
  }

  void on_hello(const sail::Json& params, const sail::RpcPeer::Reply& reply) {
    met_ = true;
    data_port_ = sail::message_from_json<sail::Hello>(params).value_or(sail::Hello{}).data_port;
    if (refusal_) {
      reply(*refusal_);
    } else {
      reply(sail::to_json(sail::ReceiverWelcome{
          .wall = "test",
          .wall_size = {64, 64},
          .tiles = {{.name = "t", .wall_rect = {0, 0, 64, 64}, .resolution = {64, 64}}}}));
    }
  }

  void start(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), RECEIVER_PROGRAM);
    start_program(arguments, environment);
  }
  void start_program(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment = {}) {
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
  uint16_t data_port_ = 0;
  std::optional<sail::ReceiverStats> stats_;
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
  // Mesa does not free all its memory.
  start({"--manager", address_, "--name", "node", "--display=gl", "--log-level=off"},
        {"SDL_VIDEODRIVER=offscreen", "LSAN_OPTIONS=detect_leaks=0"});
  ASSERT_TRUE(sail::run_until(loop_, [&] { return met_; }));
  process_->signal(SIGTERM);
  EXPECT_EQ(wait(), (End{kCleanEnd, 0}));
}

// Sanitizers need too much address space for a limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(ReceiverProgramTest, StreamsBeyondTheAddressSpaceAreRefusedInWords) {
  constexpr uint64_t kSecret = 5;
  const sail::BlockGrid grid({16384, 16384}, {128, 64});
  sail::Scene scene{.epoch = 1, .windows = {}};
  for (const uint32_t stream : {1, 2, 3, 4}) {
    scene.windows.push_back({.window = stream,
                             .secret = kSecret,
                             .epoch = 1,
                             .wall_rect = {0, 0, 64, 64},
                             .frame_size = grid.frame_size(),
                             .block_size = grid.block_size()});
  }
  // Refused by the default memory limit, or, if that is set higher than the available memory, by
  // the latter.
  for (const std::vector<std::string>& memory :
       {std::vector<std::string>{}, {"--memory", "65536"}}) {
    SCOPED_TRACE(memory.empty() ? "usual" : "set too high");
    end_.reset();
    met_ = false;
    std::vector<std::string> arguments{"/bin/sh",
                                       "-c",
                                       "ulimit -v 2400000 && exec \"$@\"",
                                       "sh",
                                       RECEIVER_PROGRAM,
                                       "--manager",
                                       address_,
                                       "--name",
                                       "node",
                                       "--display=null",
                                       "--threads",
                                       "1",
                                       "--log-level=off"};
    arguments.insert(arguments.end(), memory.begin(), memory.end());
    start_program(arguments);
    ASSERT_TRUE(sail::run_until(loop_, [&] { return met_; }));
    manager_->notify("scene", sail::to_json(scene));
    std::vector<std::unique_ptr<DataPeer>> peers;
    size_t refused = 0;
    for (const uint32_t stream : {1, 2, 3, 4}) {
      auto& peer = peers.emplace_back(
          std::make_unique<DataPeer>(loop_, sail::Address{"127.0.0.1", data_port_}));
      peer->open(stream, {.secret = kSecret,
                          .codec = {},
                          .frame_size = grid.frame_size(),
                          .block_size = grid.block_size()});
      ASSERT_TRUE(sail::run_until(loop_, [&] { return peer->accepted() || peer->ended(); }));
      for (uint64_t frame = 1; frame <= 4 && peer->accepted(); ++frame) {
        peer->send_frame(stream, {1, frame}, grid, {{0, 0}}, 1);
      }
      if (peer->accepted()) sail::run_some(loop_, 100);
      if (!peer->ended()) continue;
      ++refused;
      ASSERT_EQ(peer->closes().size(), 1U);
      EXPECT_EQ(peer->closes()[0].reason, sail::CloseReason::kLimit);
      EXPECT_NE(peer->closes()[0].text.find("memory"), std::string::npos);
    }
    EXPECT_GT(refused, 0U);
    EXPECT_FALSE(end_) << "it ended by itself";
    process_->signal(SIGTERM);
    EXPECT_EQ(wait(), (End{kCleanEnd, 0}));
  }
}
#endif

TEST_F(ReceiverProgramTest, WrongOptionsAreRefused) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"--name", "node", "--display=fast"},
                                                    {"--name", "node", "--threads", "0"},
                                                    {"--name", "node", "--memory", "0"},
                                                    {"--name", "node", "--power", "{\"node\": 1}"},
                                                    {"--name", "node", "--manager", "host:port"}}) {
    end_.reset();
    start(arguments);
    const auto end = wait();
    ASSERT_TRUE(end);
    EXPECT_NE(end->status, 0);
    EXPECT_EQ(end->signal, 0);
  }
}

TEST_F(ReceiverProgramTest, WrongSettingsOfUpdatesAreRefused) {
  for (const char* seconds : {"0", "-1", "1.5", "soon", "86401", " 1"}) {
    end_.reset();
    start({"--manager", address_, "--name", "node", "--display=null"},
          {std::string("VITRAIL_UPDATE_AFTER_S=") + seconds});
    const auto end = wait();
    ASSERT_TRUE(end);
    EXPECT_NE(end->status, 0) << seconds;
    EXPECT_FALSE(met_);
  }
}

TEST_F(ReceiverProgramTest, HelpAndVersion) {
  for (const char* option : {"--help", "--version"}) {
    end_.reset();
    start({option});
    EXPECT_EQ(wait(), (End{0, 0}));
  }
}

// A minimal compositor, sufficient for the search for a seat.
class Compositor {
 public:
  explicit Compositor(bool has_seat) : display_(wl_display_create()) {
    if (has_seat) {
      wl_global_create(display_, &wl_seat_interface, 1, nullptr,
                       [](wl_client*, void*, uint32_t, uint32_t) {});
    }
    EXPECT_EQ(wl_display_add_socket(display_, "wayland-test"), 0);
    thread_ = std::thread([this] {
      while (!stop_) {
        wl_event_loop_dispatch(wl_display_get_event_loop(display_), 5);
        wl_display_flush_clients(display_);
      }
    });
  }
  ~Compositor() {
    stop_ = true;
    thread_.join();
    wl_display_destroy_clients(display_);
    wl_display_destroy(display_);
  }
  Compositor(const Compositor&) = delete;
  Compositor& operator=(const Compositor&) = delete;

 private:
  wl_display* const display_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

class ReceiverOnWayland : public ReceiverProgramTest {
 protected:
  const sail::TempFolder folder_;
  const test::EnvironmentVariable runtime_{"XDG_RUNTIME_DIR", folder_.path().string()};
  const test::EnvironmentVariable display_{"WAYLAND_DISPLAY", "wayland-test"};
};

TEST_F(ReceiverOnWayland, ASeatIsSeen) {
  EXPECT_TRUE(wayland_has_seat()) << "nobody is there";
  {
    const Compositor compositor(true);
    EXPECT_TRUE(wayland_has_seat());
  }
  const Compositor compositor(false);
  EXPECT_FALSE(wayland_has_seat());
}

TEST_F(ReceiverOnWayland, ADisplayThatDoesNotAnswerIsReported) {
  const Compositor compositor(false);
  start({"--manager", address_, "--name", "node", "--display=cpu", "--log-level=off"},
        {"SDL_VIDEODRIVER=wayland"});
  ASSERT_TRUE(sail::run_until(loop_, [&] { return stats_ && stats_->display; }));
  EXPECT_EQ(stats_->display->driver, "memory");
  EXPECT_NE(stats_->display->trouble.find("no seat"), std::string::npos);
  process_->signal(SIGTERM);
  EXPECT_EQ(wait(), (End{kCleanEnd, 0}));
}

}  // namespace
}  // namespace receiver
