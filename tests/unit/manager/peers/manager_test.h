// A real manager on loopback, with two tiles of 1920×1080 side by side: "l" of the receiver "left"
// and "r" of "right". Everything runs on one loop in one thread.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "manager/desk/desk.h"
#include "manager/fs_manager.h"
#include "manager/monitor/wall_overlay.h"
#include "manager/peers/peers.h"
#include "sail/core/time/clock.h"
#include "tests/support/loop_test.h"
#include "tests/unit/manager/peers/scripted_peer.h"

namespace manager {

inline sail::Wall two_tile_wall() {
  auto wall = sail::parse_wall(R"({
    "name": "two",
    "receivers": [{"name": "left"}, {"name": "right"}],
    "tiles": [
      {"name": "l", "receiver": "left", "at": [0, 0], "resolution": [1920, 1080]},
      {"name": "r", "receiver": "right", "at": [1920, 0], "resolution": [1920, 1080]}
    ]})");
  EXPECT_TRUE(wall) << wall.error().message;
  return wall ? *wall : sail::Wall{};
}

class ManagerTest : public testing::Test {
 protected:
  ManagerTest() {
    options.wall = two_tile_wall();
    options.listen = {"127.0.0.1", 0};
  }

  void start() {
    auto started = FsManager::start(loop, options, sail::Log("test", sail::LogLevel::kOff),
                                    [this] { ended = true; });
    ASSERT_TRUE(started) << started.error().message;
    fs_manager = std::move(*started);
  }
  std::unique_ptr<ScriptedPeer> connect() {
    return std::make_unique<ScriptedPeer>(loop, fs_manager->address());
  }
  std::unique_ptr<ScriptedPeer> welcome(sail::Role role, const std::string& name,
                                        uint16_t data_port = 0) {
    auto peer = connect();
    const auto welcome = peer->hello(role, name, data_port, options.key);
    EXPECT_TRUE(welcome) << welcome.error().message;
    return peer;
  }
  std::unique_ptr<ScriptedPeer> ui() { return welcome(sail::Role::kUi, "console"); }
  std::unique_ptr<ScriptedPeer> application() { return welcome(sail::Role::kApplication, "demo"); }
  std::unique_ptr<ScriptedPeer> receiver(const std::string& name, uint16_t data_port = 5001) {
    return welcome(sail::Role::kReceiver, name, data_port);
  }
  // Runs the loop until the condition holds; after a timeout the test fails.
  void wait(const std::function<bool()>& condition) {
    ASSERT_TRUE(sail::run_until(loop, condition));
  }
  // Like wait(), for a condition that asks a peer: each question runs the loop.
  void wait_asking(const std::function<bool()>& condition) {
    const int64_t end_ns = sail::steady_now_ns() + sail::kTestDeadlineMs * 1'000'000;
    while (!condition()) ASSERT_LT(sail::steady_now_ns(), end_ns);
  }

  static sail::Json stream_params(const std::string& title = "film",
                                  std::optional<sail::Rect> place = std::nullopt) {
    sail::OpenStream open;
    open.title = title;
    open.frame_size = {1920, 1080};
    open.block_size = {128, 64};
    open.codecs = {"dxt1"};
    open.place = place;
    return to_json(open);
  }
  static uint32_t open_stream(ScriptedPeer& application,
                              std::optional<sail::Rect> place = std::nullopt) {
    const sail::Json opened = application.expect("open_stream", stream_params("film", place));
    return opened.is_object() ? opened.value("stream", 0U) : 0;
  }
  // Reports that a frame of the epoch has reached all receivers.
  static void ready(ScriptedPeer& application, uint32_t stream, uint64_t frame, uint64_t epoch) {
    application.notify(
        "epoch_ready",
        to_json(sail::EpochReady{.stream = stream, .epoch = epoch, .frame = frame, .lead_ns = 0}));
  }

  void end() {
    fs_manager->shut_down();
    wait([&] { return ended; });
  }

  sail::Loop loop;
  FsManagerOptions options;
  bool ended = false;
  std::unique_ptr<FsManager> fs_manager;
};

// With a console, an application and both receivers.
class PeopledManagerTest : public ManagerTest {
 protected:
  void SetUp() override {
    start();
    console = ui();
    app = application();
    left = receiver("left");
    right = receiver("right", 5002);
  }

  std::unique_ptr<ScriptedPeer> console;
  std::unique_ptr<ScriptedPeer> app;
  std::unique_ptr<ScriptedPeer> left;
  std::unique_ptr<ScriptedPeer> right;
};

}  // namespace manager
