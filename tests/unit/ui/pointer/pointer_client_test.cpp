// All of vitrail-pointer against a real manager, with datagrams over real sockets.
#include "ui/pointer/pointer_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/time/clock.h"
#include "tests/support/environment_variable.h"
#include "tests/support/loop_test.h"
#include "tests/unit/manager/peers/manager_test.h"
#include "tests/unit/ui/pointer/osc_writer.h"
#include "tests/unit/ui/pointer/recording.h"

namespace ui {
namespace {

using sail::Json;
using sail::Rect;

class PointerClientTest : public manager::PeopledManagerTest {
 protected:
  void SetUp() override {
    options.wall.pixel_pitch_mm = 0.5;  // 1.92 m × 0.54 m
    PeopledManagerTest::SetUp();
  }
  void run_client(bool smooth = false) {
    PointerOptions its_options;
    its_options.session = {fs_manager->address(), {.name = "Ada", .colour = "#ff8800"}};
    its_options.tuio = sail::Address{"127.0.0.1", 0};
    its_options.six_dof = sail::Address{"127.0.0.1", 0};
    its_options.smooth = smooth;
    auto started = PointerClient::start(
        loop, its_options, [this](const sail::Error& error) { refused = error; },
        sail::Log("test", sail::LogLevel::kOff));
    ASSERT_TRUE(started) << started.error().message;
    client = std::move(*started);
    tracker = connect_to(*client->tuio_address());
    wand = connect_to(*client->six_dof_address());
    wait([&] { return client->view().size().width == 3840; });
  }
  std::unique_ptr<sail::UdpSocket> connect_to(const sail::Address& at) {
    auto socket = sail::UdpSocket::connect(loop, at);
    EXPECT_TRUE(socket);
    return std::move(*socket);
  }
  static void send(sail::UdpSocket& socket, const Bytes& bytes) {
    const std::span<const uint8_t> part(bytes);
    const sail::OutgoingDatagram datagram{{&part, 1}, bytes.size()};
    EXPECT_EQ(socket.send({&datagram, 1}), 1u);
  }
  // Sends a tracker frame, and waits until it has been read.
  void touch(const std::vector<int32_t>& alive, const std::vector<Finger>& moved) {
    send(*tracker, touch_frame(++frame, alive, moved, "table"));
    wait([&] { return client->counters().tuio.frames == static_cast<uint64_t>(frame); });
  }
  uint32_t open(const Rect& place) {
    const uint32_t number = open_stream(*app, place);
    // A place with another shape than the stream.
    console->expect("place",
                    {{"windows", {{{"window", number}, {"rect", sail::rect_json(place)}}}}});
    wait([&] { return !client || client->view().find(number) != nullptr; });
    return number;
  }
  Json window(uint32_t number) {
    const Json state = console->expect("list");
    for (const Json& item : state["windows"]) {
      if (item["window"] == number) return item;
    }
    return nullptr;
  }
  bool comes_to(uint32_t number, const Rect& rect) {
    return sail::run_until(loop, [&] {
      const ViewedWindow* seen = client->view().find(number);
      return seen != nullptr && seen->wall_rect == rect;
    });
  }

  std::unique_ptr<PointerClient> client;
  std::unique_ptr<sail::UdpSocket> tracker;
  std::unique_ptr<sail::UdpSocket> wand;
  std::optional<sail::Error> refused;
  int32_t frame = 0;
};

TEST_F(PointerClientTest, AFingerDragsAndATapRaises) {
  run_client();
  const uint32_t first = open({0, 0, 1920, 1080});
  const uint32_t second = open({960, 0, 1920, 1080});
  // Where both overlap the second is on top.
  touch({1}, {{1, 0.3125F, 0.5F}});
  touch({1}, {{1, 0.375F, 0.5F}});
  touch({1}, {{1, 0.5F, 0.5F}});
  EXPECT_TRUE(comes_to(second, {1440, 0, 1920, 1080})) << window(second);
  touch({}, {});
  EXPECT_EQ(window(second)["rect"], Json({1440, 0, 1920, 1080}));
  EXPECT_EQ(window(second)["by"], "Ada");
  EXPECT_EQ(window(first)["rect"], Json({0, 0, 1920, 1080}));
  // One undo step brings it back.
  console->expect("undo");
  EXPECT_TRUE(comes_to(second, {960, 0, 1920, 1080})) << window(second);

  touch({2}, {{2, 0.125F, 0.5F}});
  touch({}, {});
  EXPECT_TRUE(sail::run_until(
      loop, [&] { return fs_manager->desk().windows().bottom_to_top().back().number == first; }));
}

TEST_F(PointerClientTest, ARecordedPinchMakesAWindowLarger) {
  run_client();
  const uint32_t number = open({480, 270, 1920, 540});
  const auto datagrams = recording("pinch.txt");
  for (const auto& datagram : datagrams) send(*tracker, datagram.bytes);
  wait([&] { return client->counters().tuio.frames == datagrams.size(); });
  // The fingers moved from 480 to 960 pixels apart, with their middle at 1200,540.
  EXPECT_TRUE(comes_to(number, {-240, 0, 3840, 1080})) << window(number);
  EXPECT_EQ(client->counters().tuio.lost, 0u);
}

TEST_F(PointerClientTest, TwoPeopleMoveTwoWindowsAtOnce) {
  run_client();
  const uint32_t first = open({0, 0, 960, 540});
  const uint32_t second = open({1920, 0, 960, 540});
  touch({1, 2}, {{1, 0.125F, 0.25F}, {2, 0.625F, 0.25F}});
  touch({1, 2}, {{1, 0.125F, 0.375F}, {2, 0.6875F, 0.25F}});
  touch({1, 2}, {{1, 0.125F, 0.625F}, {2, 0.75F, 0.25F}});
  EXPECT_TRUE(comes_to(first, {0, 270, 960, 540})) << window(first);
  EXPECT_TRUE(comes_to(second, {2160, 0, 960, 540})) << window(second);
}

TEST_F(PointerClientTest, AWandDragsByTheWallFilesPixels) {
  run_client();
  const uint32_t number = open({960, 270, 1920, 540});
  const auto aim = [&](double x_m, int buttons) {
    const std::string text = Json{
        {"id", "wand"},
        {"pos", {x_m, 0, 2}},
        {"quat", {0, 0, 0, 1}},
        {"buttons", buttons}}.dump();
    send(*wand, {text.begin(), text.end()});
  };
  aim(0, 0);
  aim(0, 1);
  aim(0.24, 1);
  aim(0.24, 0);
  EXPECT_TRUE(comes_to(number, {1440, 270, 1920, 540})) << window(number);
}

TEST_F(PointerClientTest, GarbageIsRefusedAndCounted) {
  run_client();
  const uint32_t number = open({0, 0, 1920, 1080});
  for (const char* text : {"garbage", "/a", "#bundle", "{\"id\":", "{}"}) {
    const std::string bytes = text;
    send(*tracker, {bytes.begin(), bytes.end()});
    send(*wand, {bytes.begin(), bytes.end()});
  }
  wait([&] {
    return client->counters().tuio_refused == 5 && client->counters().wands_refused == 5;
  });
  touch({1}, {{1, 0.125F, 0.25F}});
  touch({1}, {{1, 0.25F, 0.25F}});
  touch({1}, {{1, 0.375F, 0.25F}});
  EXPECT_TRUE(comes_to(number, {480, 0, 1920, 1080})) << "it works on";
}

TEST_F(PointerClientTest, OscMessagesBeginAndClearEvents) {
  const Json action = {{"window", "gate"}, {"label", "open"}};
  console->expect("event_rules", {{"rules", Json::array({{{"event", "/gate/open"},
                                                          {"when", {{"arguments.0", 1}}},
                                                          {"do", Json::array({action})}}})}});
  PointerOptions its_options;
  its_options.session = {fs_manager->address(), {.name = "osc"}};
  its_options.osc = sail::Address{"127.0.0.1", 0};
  its_options.events = {{.name = "/gate/open", .id = "arguments.1", .clear = "arguments.0:0"}};
  auto started = PointerClient::start(
      loop, its_options, [](const sail::Error&) {}, sail::Log("test", sail::LogLevel::kOff));
  ASSERT_TRUE(started) << started.error().message;
  client = std::move(*started);
  const auto mixer = connect_to(*client->osc_address());
  Json active;
  const auto wait_for_events = [&](size_t count) {
    const int64_t end_ns = sail::steady_now_ns() + sail::kTestDeadlineMs * sail::kMillisecondNs;
    do {
      active = console->expect("event_list")["events"];
    } while (active.size() != count && sail::steady_now_ns() < end_ns);
    ASSERT_EQ(active.size(), count);
  };
  const auto open = Osc("/gate/open").i(1).s("north").bytes();
  send(*mixer, bundle({open, Osc("/gate/open").i(2).s("east").bytes()}));
  wait_for_events(1);
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_EQ(active[0]["event"], "/gate/open");
  EXPECT_EQ(active[0]["id"], "north");
  EXPECT_EQ(client->counters().osc_refused, 0u);
  // Another address, no id, garbage.
  send(*mixer, Osc("/gate").i(1).bytes());
  send(*mixer, Osc("/gate/open").i(1).bytes());
  send(*mixer, {'x', 0, 0, 0});
  wait([&] { return client->counters().osc_refused == 3; });
  send(*mixer, Osc("/gate/open").i(0).s("north").bytes());
  wait_for_events(0);
}

TEST_F(PointerClientTest, ComesBackWhenTheManagerDoes) {
  run_client();
  open({0, 0, 1920, 1080});
  touch({1}, {{1, 0.125F, 0.25F}});
  options.listen = fs_manager->address();
  app.reset();
  console.reset();
  left.reset();
  right.reset();
  fs_manager.reset();
  wait([&] { return client->view().size().width == 0; });
  start();
  wait([&] { return client->view().size().width == 3840; });
}

TEST_F(PointerClientTest, IsToldWhenTheManagerWillNotHaveIt) {
  options.key = {"", "open sesame, please"};
  fs_manager.reset();
  start();
  PointerOptions its_options;
  const test::EnvironmentVariable key("VITRAIL_KEY", "close sesame, please");
  its_options.session = {fs_manager->address(), {.name = "Ada"}};
  auto started = PointerClient::start(
      loop, its_options, [this](const sail::Error& error) { refused = error; },
      sail::Log("test", sail::LogLevel::kOff));
  ASSERT_TRUE(started);
  client = std::move(*started);
  wait([&] { return refused.has_value(); });
  EXPECT_EQ(refused->code, sail::ErrorCode::kUnauthorized);
}

TEST_F(PointerClientTest, ATakenPortIsNamed) {
  run_client();
  PointerOptions its_options;
  its_options.session = {fs_manager->address(), {.name = "Bob"}};
  its_options.tuio = client->tuio_address();
  const auto second = PointerClient::start(
      loop, its_options, [](const sail::Error&) {}, sail::Log("test", sail::LogLevel::kOff));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, sail::ErrorCode::kConflict);
}

}  // namespace
}  // namespace ui
