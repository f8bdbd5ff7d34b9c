// Whole receivers on loopback; the test acts as manager and application.
#include "receiver/receiver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <future>
#include <thread>

#include "receiver/display/window_system.h"
#include "sail/core/socket/udp.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/scene_change.h"
#include "tests/support/environment_variable.h"
#include "tests/support/loop_test.h"
#include "tests/support/reference_wall.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/intake/data_peer.h"

namespace receiver {
namespace {

using sail::kMillisecondNs;

using sail::DataType;
using sail::Rect;

constexpr uint64_t kWallSecret = 0xfeedfacecafebeef;
// The manager's clock is unrelated to ours.
constexpr int64_t kOffsetNs = 1'000'000'000'000'000;
// Enough time to send something before its presentation time, on a slow machine, too.
constexpr int64_t kSayingNs = sail::kTestDeadlineMs / 25 * kMillisecondNs;

int64_t wall_now_ns() {
  return sail::steady_now_ns() + kOffsetNs;
}

sail::Tile tile(const std::string& name, const Rect& wall_rect, int rotation = 0) {
  sail::Size resolution{wall_rect.width, wall_rect.height};
  if (rotation % 180 != 0) resolution = {resolution.height, resolution.width};
  return {.name = name,
          .receiver = "node",
          .wall_rect = wall_rect,
          .resolution = resolution,
          .rotation = rotation};
}

// Answers receivers' hellos and stores their messages.
class ScriptedManager {
 public:
  explicit ScriptedManager(sail::Loop& loop) : loop_(loop) { listen(0); }

  void listen(uint16_t port) {
    auto listener = sail::TcpListener::listen(
        loop_, {"127.0.0.1", port},
        [this](std::unique_ptr<sail::TcpConnection> connection) { greet(std::move(connection)); });
    ASSERT_TRUE(listener) << listener.error().message;
    listener_ = *std::move(listener);
  }
  sail::Address address() const { return listener_->address(); }
  void die() {
    listener_.reset();
    peer_.reset();
    hello_.reset();
  }

  void set_tiles(const std::vector<sail::Tile>& tiles) {
    tiles_.clear();
    for (const sail::Tile& tile : tiles) {
      tiles_.push_back({.name = tile.name,
                        .wall_rect = tile.wall_rect,
                        .resolution = tile.resolution,
                        .rotation = tile.rotation});
    }
  }
  void refuse(const sail::Error& error) { refusal_ = error; }
  void want_everywhere() { everywhere_ = true; }

  sail::RpcPeer& peer() { return *peer_; }
  const std::optional<sail::Hello>& hello() const { return hello_; }
  const std::optional<sail::DataPort>& data_port() const { return data_port_; }
  const std::deque<sail::ReceiverStats>& stats() const { return stats_; }
  const std::deque<sail::ClockStats>& clock_stats() const { return clock_stats_; }
  int clock_readings() const { return clock_readings_; }

  void scene(const sail::Scene& scene) { peer_->notify("scene", sail::to_json(scene)); }
  void scene_change(const sail::SceneChange& change) {
    peer_->notify("scene_change", sail::to_json(change));
  }
  void go(const sail::Go& go) { peer_->notify("go", sail::to_json(go)); }

 private:
  void greet(std::unique_ptr<sail::TcpConnection> connection) {
    peer_ = std::make_unique<sail::RpcPeer>(
        loop_, std::move(connection),
        sail::RpcPeer::Handlers{
            .on_request =
                [this](const std::string& method, const sail::Json& params,
                       const sail::RpcPeer::Reply& reply) { on_request(method, params, reply); },
            .on_closed = [](const sail::Error&) {}});
  }
  void on_request(const std::string& method, const sail::Json& params,
                  const sail::RpcPeer::Reply& reply) {
    if (method == "hello") {
      hello_ = sail::message_from_json<sail::Hello>(params).value();
      if (refusal_) {
        reply(*refusal_);
        return;
      }
      sail::Json welcome = sail::to_json(
          sail::ReceiverWelcome{.wall = "test", .wall_size = {1000, 1000}, .tiles = tiles_});
      sail::write_fields(welcome, sail::WelcomeReach{everywhere_});
      reply(std::move(welcome));
    } else if (method == "clock") {
      ++clock_readings_;
      reply(sail::to_json(sail::ClockReading{wall_now_ns()}));
    } else if (method == "data_port") {
      data_port_ = sail::message_from_json<sail::DataPort>(params).value();
    } else if (method == "receiver_stats") {
      stats_.push_back(sail::message_from_json<sail::ReceiverStats>(params).value());
    } else if (method == "clock_stats") {
      clock_stats_.push_back(sail::message_from_json<sail::ClockStats>(params).value());
    } else if (method != "host_stats") {
      ADD_FAILURE() << "a receiver asked for '" << method << "'";
    }
  }

  sail::Loop& loop_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::unique_ptr<sail::RpcPeer> peer_;
  std::vector<sail::TileInfo> tiles_;
  std::optional<sail::Error> refusal_;
  std::optional<sail::Hello> hello_;
  bool everywhere_ = false;
  std::optional<sail::DataPort> data_port_;
  std::deque<sail::ReceiverStats> stats_;
  std::deque<sail::ClockStats> clock_stats_;
  int clock_readings_ = 0;
};

struct TakenPicture {
  sail::PictureBegin begin;
  reference::Picture picture;
};

const sail::BlockGrid kWallGrid({200, 120}, {64, 32});

class ReceiverTest : public testing::Test {
 protected:
  ~ReceiverTest() override { end(); }

  void start(const std::vector<sail::Tile>& tiles) {
    tiles_ = tiles;
    manager_.set_tiles(tiles);
    options_.name = "node";
    options_.manager = manager_.address();
    options_.decoder_program = decoder_program_;
    receiver_ = std::make_unique<Receiver>(
        options_, make_cpu_display(make_null_window_system(simulated_), 1), log_);
    thread_ = std::thread([this] {
      result_ = receiver_->run();
      over_ = true;
    });
  }
  // Also waits for some clock readings.
  void start_and_meet(const std::vector<sail::Tile>& tiles) {
    start(tiles);
    ASSERT_TRUE(run_until([&] { return manager_.clock_readings() >= 8; }));
  }
  void end() {
    if (!thread_.joinable()) return;
    receiver_->quit();
    thread_.join();
  }
  bool run_until(const std::function<bool()>& condition) {
    return sail::run_until(loop_, condition);
  }

  sail::Address data_port() const { return {"127.0.0.1", manager_.hello()->data_port}; }
  std::unique_ptr<DataPeer> connect_stream(uint32_t stream, const sail::BlockGrid& grid,
                                           const sail::StreamCodec& codec = {}) {
    auto peer = std::make_unique<DataPeer>(loop_, data_port());
    peer->open(stream, {.secret = kWallSecret,
                        .codec = codec,
                        .frame_size = grid.frame_size(),
                        .block_size = grid.block_size()});
    EXPECT_TRUE(run_until([&] { return peer->accepted(); }));
    return peer;
  }
  struct FirstFrame {
    std::unique_ptr<DataPeer> peer;
    TestFrame frame;
  };
  // Opens stream 1, and waits until its first frame is shown.
  FirstFrame show_first_frame() {
    manager_.scene({.epoch = 1, .windows = {window(1, {0, 0, 200, 120}, kWallGrid)}});
    FirstFrame first{connect_stream(1, kWallGrid), noise_frame(kWallGrid, random_)};
    send(*first.peer, 1, {1, 1}, first.frame);
    manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
    EXPECT_TRUE(run_until_reported(*first.peer, 1));
    return first;
  }
  // Sends all blocks of a frame, and waits until the receiver reports it as ready.
  void send(DataPeer& peer, uint32_t stream, const FrameKey& key, const TestFrame& frame) {
    std::vector<std::pair<sail::BlockRun, std::vector<uint8_t>>> runs;
    for (int row = 0; row < frame.grid.rows(); ++row) {
      for (int column = 0; column < frame.grid.columns(); ++column) {
        runs.push_back({{key.number, static_cast<uint16_t>(row), static_cast<uint16_t>(column), 1},
                        frame.block(column, row)});
      }
    }
    peer.send(frame_bytes(stream, key, frame.grid.count(), runs));
    bool ready = false;
    peer.on_ready = [&](uint32_t of, const FrameKey& reported) {
      ready = ready || (of == stream && reported == key);
    };
    ASSERT_TRUE(run_until([&] { return ready; }));
    peer.on_ready = nullptr;
  }
  static void show(DataPeer& peer, uint32_t stream, const FrameKey& key, int64_t at_ns) {
    peer.send(sail::encode(
        stream, sail::FrameShow{.frame = key.number, .epoch = key.epoch, .at_ns = at_ns}));
  }
  static sail::SceneWindow window(uint32_t number, const Rect& wall_rect,
                                  const sail::BlockGrid& grid) {
    return {.window = number,
            .secret = kWallSecret,
            .epoch = 1,
            .wall_rect = wall_rect,
            .frame_size = grid.frame_size(),
            .block_size = grid.block_size()};
  }
  bool run_until_reported(const DataPeer& peer, size_t count) {
    return run_until([&] { return peer.reports().size() >= count; });
  }

  // Takes a snapshot of the tiles at this wall time.
  std::vector<TakenPicture> snapshot(int64_t at_ns) {
    const uint64_t secret = ++last_secret_;
    std::optional<sail::Result<sail::Json>> answer;
    manager_.peer().call("snapshot", sail::to_json(sail::SnapshotPermit{secret, at_ns}),
                         [&](sail::Result<sail::Json> result) { answer = std::move(result); });
    EXPECT_TRUE(run_until([&] { return answer.has_value(); }));
    EXPECT_TRUE(answer && *answer);
    DataPeer peer(loop_, data_port());
    peer.send(sail::encode(sail::SnapshotRequest{.secret = secret, .at_ns = at_ns}));
    EXPECT_TRUE(run_until([&] { return peer.ended(); }));
    std::vector<TakenPicture> pictures;
    for (const auto& [header, body] : peer.messages()) {
      if (header.type == DataType::kPictureBegin) {
        const auto begin = sail::decode_picture_begin(body).value();
        pictures.push_back({begin, {begin.size.width, begin.size.height, {}}});
      } else if (header.type == DataType::kPictureRows) {
        auto& pixels = pictures.back().picture.pixels;
        pixels.insert(pixels.end(), body.begin() + sail::kPictureRowsFixedBytes, body.end());
      }
    }
    return pictures;
  }
  void expect_shown(const std::vector<reference::Window>& windows, const std::string& where) {
    const auto pictures = snapshot(wall_now_ns());
    ASSERT_EQ(pictures.size(), tiles_.size()) << where;
    for (size_t i = 0; i < tiles_.size(); ++i) {
      EXPECT_EQ(pictures[i].begin.tile, tiles_[i].name);
      EXPECT_EQ(pictures[i].picture, reference::show_on_tile(tiles_[i], windows))
          << where << ", tile " << i;
    }
  }

  const sail::Log log_{"test", sail::LogLevel::kOff};
  sail::Loop loop_;
  ScriptedManager manager_{loop_};
  std::vector<sail::Tile> tiles_;
  ReceiverOptions options_;
  std::string decoder_program_;
  SimulatedRefresh simulated_;
  std::unique_ptr<Receiver> receiver_;
  std::thread thread_;
  sail::Result<void> result_;
  std::atomic<bool> over_ = false;
  uint64_t last_secret_ = 0;
  std::mt19937 random_{1};
};

const std::vector<sail::Tile> kTiles{tile("left", {0, 0, 100, 80}),
                                     tile("right", {110, 0, 100, 80}, 90)};

// A layout that is white everywhere, after black.
class ReceiverFadeTest : public ReceiverTest {
 protected:
  void fade(int fade_ms) {
    start_and_meet(kTiles);
    manager_.scene(
        {.epoch = 1, .windows = {}, .pattern = sail::TestPattern::kWhite, .fade_ms = fade_ms});
    manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {}});
  }
  bool is_white() {
    const auto pictures = snapshot(wall_now_ns());
    return !pictures.empty() && std::ranges::all_of(pictures, [](const TakenPicture& taken) {
      return std::ranges::count(taken.picture.pixels, 255) == std::ssize(taken.picture.pixels);
    });
  }
  uint64_t reserved() {
    std::optional<sail::Result<sail::Json>> answer;
    manager_.peer().call("memory", sail::Json::object(),
                         [&](sail::Result<sail::Json> result) { answer = std::move(result); });
    EXPECT_TRUE(run_until([&] { return answer.has_value(); }));
    return (**answer).value("reserved", uint64_t{0});
  }
  bool reports_fades(uint64_t fades) {
    const size_t before = manager_.stats().size();
    return run_until([&] { return manager_.stats().size() > before; }) &&
           manager_.stats().back().fades == fades;
  }
};

TEST_F(ReceiverFadeTest, IsCountedAndReturnsItsMemory) {
  fade(200);
  int tries = 0;
  while (!is_white() && ++tries < 10'000) continue;
  EXPECT_TRUE(is_white());
  EXPECT_EQ(reserved(), 0U);
  EXPECT_TRUE(reports_fades(1));
}

TEST_F(ReceiverFadeTest, WithoutMemoryIsACut) {
  options_.memory_bytes = 64000;  // of both tiles, one picture
  fade(sail::kMaxSceneFadeMs);
  EXPECT_TRUE(is_white());
  EXPECT_TRUE(reports_fades(0));
}

TEST_F(ReceiverTest, SaysHello) {
  start(kTiles);
  ASSERT_TRUE(run_until([&] { return manager_.hello().has_value(); }));
  EXPECT_EQ(manager_.hello()->role, sail::Role::kReceiver);
  EXPECT_EQ(manager_.hello()->name, "node");
  EXPECT_NE(manager_.hello()->data_port, 0);
}

TEST_F(ReceiverTest, OffersTheCodecsThatItsDecoderLists) {
  const sail::TempFolder folder;
  decoder_program_ = folder.write("decoder", "#!/bin/sh\necho h265; echo vp9");
  std::filesystem::permissions(decoder_program_, std::filesystem::perms::owner_all);
  start(kTiles);
  ASSERT_TRUE(run_until([&] { return manager_.hello().has_value(); }));
  std::vector<std::string> codecs = sail::encodable_codec_names();
  codecs.insert(codecs.end(), {"h265", "vp9"});
  EXPECT_EQ(manager_.hello()->codecs, codecs);
}

TEST_F(ReceiverTest, WithoutADecoderIsAReceiverOfPixels) {
  decoder_program_ = "/nowhere/vitrail-decoder";
  start_and_meet(kTiles);
  EXPECT_EQ(manager_.hello()->codecs, sail::encodable_codec_names());
  expect_shown({}, "without a decoder");
}

TEST_F(ReceiverTest, QuitDoesNotWaitForTheDecodersList) {
  const sail::TempFolder folder;
  const std::string begun = folder.file("begun");
  decoder_program_ = folder.write("decoder", "#!/bin/sh\n: > '" + begun + "'; exec sleep 1000");
  std::filesystem::permissions(decoder_program_, std::filesystem::perms::owner_all);
  start(kTiles);
  ASSERT_TRUE(run_until([&] { return std::filesystem::exists(begun); }));
  EXPECT_FALSE(manager_.hello());
  receiver_->quit();
  EXPECT_TRUE(run_until([&] { return over_.load(); }));
  EXPECT_FALSE(manager_.hello());
}

TEST_F(ReceiverTest, SwitchesDisplaysByItsOwnControlsOnly) {
  options_.power.tiles["left"] = {
      .on = {"true"}, .off = {"true"}, .status = {"echo", "on"}, .status_on = "on"};
  start_and_meet(kTiles);
  const auto power = [&](const sail::Json& params) {
    std::optional<sail::Result<sail::Json>> answer;
    manager_.peer().call("power", params,
                         [&](sail::Result<sail::Json> result) { answer = std::move(result); });
    EXPECT_TRUE(run_until([&] { return answer.has_value(); }));
    return answer.value_or(sail::Error{});
  };
  const sail::Json on = {{"tile", "left"}, {"power", "on"}};
  EXPECT_EQ(power({{"power", "on"}}), (sail::Json{{"tiles", sail::Json::array({on})}}));
  EXPECT_EQ(power({{"power", "on"}, {"tiles", sail::Json::array({"right"})}}),
            (sail::Json{{"tiles", sail::Json::array()}}));
  EXPECT_EQ(power({{"power", "on"}, {"tiles", sail::Json::array({"other"})}}).error().code,
            sail::ErrorCode::kInvalidParams);
  EXPECT_EQ(power({{"power", "reboot"}}).error().code, sail::ErrorCode::kInvalidParams);
}

TEST_F(ReceiverTest, ListensWhereItIsToldAndAnnouncesWhatLeadsThere) {
  // Finds a free port.
  options_.data_port =
      (*sail::TcpListener::listen(loop_, {"127.0.0.1", 0}, [](auto) {}))->address().port;
  options_.announce_port = 7;
  std::promise<sail::Address> listening;
  options_.on_listening = [&](const sail::Address& at) { listening.set_value(at); };
  start(kTiles);
  ASSERT_TRUE(run_until([&] { return manager_.hello().has_value(); }));
  EXPECT_EQ(manager_.hello()->data_port, 7);
  const sail::Address at = listening.get_future().get();
  EXPECT_EQ(at, (sail::Address{"127.0.0.1", options_.data_port}));
  EXPECT_EQ(sail::UdpSocket::bind(loop_, at).error().code, sail::ErrorCode::kConflict);
  const auto taken = sail::TcpListener::listen(loop_, at, [](auto) {});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, sail::ErrorCode::kConflict);
}

TEST_F(ReceiverTest, ListensOnAllAddressesWhenTheManagerAsksForIt) {
  options_.data_port =
      (*sail::TcpListener::listen(loop_, {"127.0.0.1", 0}, [](auto) {}))->address().port;
  manager_.want_everywhere();
  start(kTiles);
  ASSERT_TRUE(run_until([&] { return manager_.data_port().has_value(); }));
  const uint16_t port = manager_.data_port()->port;
  EXPECT_EQ(port, options_.data_port);
  for (const char* host : {"127.0.0.1", "127.0.0.2"}) {
    bool reached = false;
    const auto guard = sail::TcpConnection::connect(
        loop_, {host, port}, [&](const auto& connection) { reached = connection.has_value(); });
    EXPECT_TRUE(run_until([&] { return reached; })) << host;
  }
  // The next session announces the same port.
  manager_.die();
  manager_.listen(options_.manager.port);
  ASSERT_TRUE(run_until([&] { return manager_.hello().has_value(); }));
  EXPECT_EQ(manager_.hello()->data_port, port);
}

TEST_F(ReceiverTest, ADataPortThatIsTakenEndsItWithAdvice) {
  const auto other = *sail::TcpListener::listen(loop_, {"127.0.0.1", 0}, [](auto) {});
  options_.data_port = other->address().port;
  start(kTiles);
  ASSERT_TRUE(run_until([&] { return over_.load(); }));
  thread_.join();
  ASSERT_FALSE(result_);
  EXPECT_EQ(result_.error().code, sail::ErrorCode::kConflict);
  EXPECT_NE(result_.error().message.find("--data-port"), std::string::npos);
}

TEST_F(ReceiverTest, RefusedHelloEndsItWithAdvice) {
  manager_.refuse({sail::ErrorCode::kUnauthorized, "wrong key"});
  start(kTiles);
  ASSERT_TRUE(run_until([&] { return over_.load(); }));
  thread_.join();
  ASSERT_FALSE(result_);
  EXPECT_EQ(result_.error().code, sail::ErrorCode::kUnauthorized);
  EXPECT_NE(result_.error().message.find("VITRAIL_KEY_FILE"), std::string::npos);
}

TEST_F(ReceiverTest, QuitEndsIt) {
  start(kTiles);
  receiver_->quit();
  thread_.join();
  EXPECT_TRUE(result_);
}

TEST_F(ReceiverTest, ShowsAFrameAtItsInstant) {
  start_and_meet(kTiles);
  expect_shown({}, "before");
  manager_.scene({.epoch = 1, .windows = {window(1, {5, 5, 200, 120}, kWallGrid)}});
  const auto peer = connect_stream(1, kWallGrid);
  const TestFrame frame = noise_frame(kWallGrid, random_);
  send(*peer, 1, {1, 1}, frame);
  expect_shown({}, "no go yet");

  const int64_t at_ns = wall_now_ns() + 30 * kMillisecondNs;
  manager_.go({.at_ns = at_ns, .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  const sail::FrameReport report = peer->reports()[0];
  EXPECT_EQ(report.outcome, sail::FrameOutcome::kShown);
  EXPECT_EQ(report.frame, 1U);
  EXPECT_EQ(report.epoch, 1U);
  // Within the error of a clock read over loopback.
  EXPECT_GT(report.swapped_ns, at_ns - 10 * kMillisecondNs);
  EXPECT_LT(report.swapped_ns, wall_now_ns() + 10 * kMillisecondNs);
  EXPECT_LT(report.assembled_ns, report.swapped_ns);
  expect_shown({{{5, 5, 200, 120}, frame.picture}}, "after");
}

TEST_F(ReceiverTest, FollowsChangesOfTheLayoutToldBefore) {
  start_and_meet(kTiles);
  const sail::Scene first{.epoch = 1, .windows = {window(1, {5, 5, 200, 120}, kWallGrid)}};
  manager_.scene(first);
  const auto peer = connect_stream(1, kWallGrid);
  const TestFrame frame = noise_frame(kWallGrid, random_);
  send(*peer, 1, {1, 1}, frame);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));

  sail::Scene second = first;
  second.epoch = 2;
  second.windows[0].wall_rect = {-40, 10, 300, 60};
  manager_.scene_change(sail::scene_change(first, second));
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 2, .frames = {}});
  expect_shown({{{-40, 10, 300, 60}, frame.picture}}, "moved");

  // A scene change with an unknown base is ignored.
  sail::Scene third = second;
  third.epoch = 4;
  third.windows[0].wall_rect = {0, 0, 50, 50};
  sail::SceneChange strange = sail::scene_change(second, third);
  strange.base = 3;
  manager_.scene_change(strange);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 4, .frames = {}});
  expect_shown({{{-40, 10, 300, 60}, frame.picture}}, "not moved");
}

TEST_F(ReceiverTest, FollowsFramesLayoutsAndIdentify) {
  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {5, 5, 200, 120}, kWallGrid)}});
  const auto peer = connect_stream(1, kWallGrid);
  std::vector<TestFrame> frames;
  for (uint64_t number = 1; number <= 12; ++number) {
    frames.push_back(noise_frame(kWallGrid, random_));
    send(*peer, 1, {1, number}, frames.back());
    if (number == 1) {
      manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, number, 1}}});
    } else {
      show(*peer, 1, {1, number}, wall_now_ns());
    }
    ASSERT_TRUE(run_until_reported(*peer, number));
    EXPECT_EQ(peer->reports().back().outcome, sail::FrameOutcome::kShown);
  }
  expect_shown({{{5, 5, 200, 120}, frames[11].picture}}, "twelve frames");

  // A move: nothing changes before go.
  sail::SceneWindow moved = window(1, {-40, 10, 300, 60}, kWallGrid);
  moved.epoch = 2;
  manager_.scene({.epoch = 2, .windows = {moved}});
  send(*peer, 1, {2, 12}, frames[11]);
  expect_shown({{{5, 5, 200, 120}, frames[11].picture}}, "before the move");
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 2, .frames = {{1, 12, 2}}});
  ASSERT_TRUE(run_until_reported(*peer, 13));
  expect_shown({{{-40, 10, 300, 60}, frames[11].picture}}, "after the move");

  // A layout without a new frame is painted from the current frame.
  manager_.scene(
      {.epoch = 3, .windows = {window(1, {20, 20, 100, 60}, kWallGrid)}, .identify = true});
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 3, .frames = {}});
  const auto named = snapshot(wall_now_ns());
  const uint8_t* plate = named.at(0).picture.at(50, 30);
  EXPECT_TRUE(plate[0] == plate[1] && plate[1] == plate[2] && plate[0] != 0)
      << "the name's plate or letters";
  manager_.scene({.epoch = 4, .windows = {window(1, {20, 20, 100, 60}, kWallGrid)}});
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 4, .frames = {}});
  expect_shown({{{20, 20, 100, 60}, frames[11].picture}}, "without names");
}

TEST_F(ReceiverTest, OlderFramesAreReportedWhenALaterOneGoes) {
  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {5, 5, 200, 120}, kWallGrid)}});
  const auto peer = connect_stream(1, kWallGrid);
  const TestFrame frame = noise_frame(kWallGrid, random_);
  for (uint64_t number = 1; number <= 4; ++number) send(*peer, 1, {1, number}, frame);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 4, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 4));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(peer->reports()[i].outcome, sail::FrameOutcome::kDropped);
    EXPECT_EQ(peer->reports()[i].cause, sail::DropCause::kSuperseded);
  }
  EXPECT_EQ(peer->reports()[3].outcome, sail::FrameOutcome::kShown);
}

TEST_F(ReceiverTest, AFrameThatIsToBeSeenNextYearIsShownASecondLater) {
  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {5, 5, 200, 120}, kWallGrid)}});
  const auto peer = connect_stream(1, kWallGrid);
  const TestFrame frame = noise_frame(kWallGrid, random_);
  for (uint64_t number = 1; number <= 2; ++number) send(*peer, 1, {1, number}, frame);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  const int64_t told_ns = wall_now_ns();
  show(*peer, 1, {1, 2}, told_ns + int64_t{365} * 86400 * sail::kSecondNs);
  ASSERT_TRUE(run_until_reported(*peer, 2));
  EXPECT_EQ(peer->reports()[1].outcome, sail::FrameOutcome::kShown);
  EXPECT_GT(peer->reports()[1].swapped_ns, told_ns + 900 * kMillisecondNs);
}

// The same if the layout comes first.
TEST_F(ReceiverTest, FramesThatAreToldBeforeTheirLayoutAreAllShown) {
  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {5, 5, 200, 120}, kWallGrid)}});
  const auto peer = connect_stream(1, kWallGrid);
  const TestFrame frame = noise_frame(kWallGrid, random_);
  for (uint64_t number = 1; number <= 3; ++number) send(*peer, 1, {1, number}, frame);
  const int64_t at_ns = wall_now_ns() + 100 * kMillisecondNs;
  show(*peer, 1, {1, 2}, at_ns + kSayingNs);
  show(*peer, 1, {1, 3}, at_ns + kSayingNs + 100 * kMillisecondNs);
  send(*peer, 1, {1, 4}, frame);  // the receiver has read the messages by now
  manager_.go({.at_ns = at_ns, .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 3));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(peer->reports()[i].frame, i + 1);
    EXPECT_EQ(peer->reports()[i].outcome, sail::FrameOutcome::kShown);
  }
}

// The layout did not wait for the sender, whose message concerns the previous layout. The frame is
// shown at the latest with the new layout, whichever of the two messages comes first.
TEST_F(ReceiverTest, AFrameOfTheLayoutBeforeIsShownIfItWasToBeSeenBeforeThisOne) {
  start_and_meet(kTiles);
  sail::SceneWindow shown = window(1, {5, 5, 200, 120}, kWallGrid);
  manager_.scene({.epoch = 1, .windows = {shown}});
  const auto peer = connect_stream(1, kWallGrid);
  const TestFrame frame = noise_frame(kWallGrid, random_);
  for (uint64_t number = 1; number <= 3; ++number) send(*peer, 1, {1, number}, frame);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  shown.epoch = 2;
  manager_.scene({.epoch = 2, .windows = {shown}});
  const int64_t at_ns = wall_now_ns() + kSayingNs;
  manager_.go({.at_ns = at_ns, .scene_epoch = 2, .frames = {}});
  bool heard = false;
  manager_.peer().call("dance", {}, [&](const auto&) { heard = true; });
  ASSERT_TRUE(run_until([&] { return heard; }));
  show(*peer, 1, {1, 2}, at_ns - kMillisecondNs);
  show(*peer, 1, {1, 3}, at_ns + kMillisecondNs);
  ASSERT_TRUE(run_until_reported(*peer, 3));
  EXPECT_EQ(peer->reports()[1].frame, 3U);
  EXPECT_EQ(peer->reports()[1].cause, sail::DropCause::kOldEpoch);
  EXPECT_EQ(peer->reports()[2].frame, 2U) << "behind the layout, at the same instant";
  EXPECT_EQ(peer->reports()[2].outcome, sail::FrameOutcome::kShown);
}

TEST_F(ReceiverTest, WindowThatIsNotSeenHereIsReportedHidden) {
  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {500, 500, 200, 120}, kWallGrid)}});
  const auto peer = connect_stream(1, kWallGrid);
  send(*peer, 1, {1, 1}, noise_frame(kWallGrid, random_));
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  EXPECT_EQ(peer->reports()[0].outcome, sail::FrameOutcome::kDropped);
  EXPECT_EQ(peer->reports()[0].cause, sail::DropCause::kHidden);
}

TEST_F(ReceiverTest, SnapshotShowsItsInstantWhateverGoesLater) {
  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {0, 0, 200, 120}, kWallGrid)}});
  const auto peer = connect_stream(1, kWallGrid);
  const TestFrame first = noise_frame(kWallGrid, random_);
  const TestFrame second = noise_frame(kWallGrid, random_);
  send(*peer, 1, {1, 1}, first);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  send(*peer, 1, {1, 2}, second);

  const int64_t at_ns = wall_now_ns() + 100 * kMillisecondNs;
  manager_.peer().notify("snapshot", sail::to_json(sail::SnapshotPermit{77, at_ns}));
  DataPeer client(loop_, data_port());
  client.send(sail::encode(sail::SnapshotRequest{.secret = 77, .at_ns = at_ns}));
  show(*peer, 1, {1, 2}, at_ns + 1);
  ASSERT_TRUE(run_until([&] { return client.ended(); }));
  std::vector<uint8_t> pixels;
  for (const auto& [header, body] : client.messages()) {
    if (header.type == DataType::kPictureBegin && pixels.empty()) {
      const auto begin = sail::decode_picture_begin(body).value();
      EXPECT_EQ(begin.tile, "left");
      EXPECT_GE(begin.taken_ns, at_ns);
      ASSERT_EQ(begin.windows.size(), 1U);
      EXPECT_EQ(begin.windows[0].window, 1U);
      EXPECT_EQ(begin.windows[0].frame, 1U);
    }
    if (header.type == DataType::kPictureRows && pixels.empty()) {
      pixels.assign(body.begin() + sail::kPictureRowsFixedBytes, body.end());
    }
  }
  const std::vector<reference::Window> windows{{{0, 0, 200, 120}, first.picture}};
  EXPECT_EQ(pixels, reference::show_on_tile(kTiles[0], windows).pixels);
  ASSERT_TRUE(run_until_reported(*peer, 2));
  expect_shown({{{0, 0, 200, 120}, second.picture}}, "later");
}

TEST_F(ReceiverTest, KeepsThePictureWithoutManagerAndTakesNewTiles) {
  start_and_meet(kTiles);
  const FirstFrame first = show_first_frame();
  const auto& peer = first.peer;

  const uint16_t port = manager_.address().port;
  manager_.die();
  // Frames are shown as before.
  const TestFrame second = noise_frame(kWallGrid, random_);
  send(*peer, 1, {1, 2}, second);
  show(*peer, 1, {1, 2}, wall_now_ns());
  ASSERT_TRUE(run_until_reported(*peer, 2));
  EXPECT_EQ(peer->reports().back().outcome, sail::FrameOutcome::kShown);
  tiles_ = {tile("other", {50, 20, 60, 90}, 180)};
  manager_.set_tiles(tiles_);
  manager_.listen(port);
  ASSERT_TRUE(run_until([&] { return manager_.hello().has_value(); }));
  expect_shown({{{0, 0, 200, 120}, second.picture}}, "on other tiles");
  EXPECT_FALSE(peer->ended());

  // Its scene has other streams: the old one ends.
  manager_.scene({.epoch = 1, .windows = {}});
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {}});
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  EXPECT_EQ(peer->closes().at(0).reason, sail::CloseReason::kNormal);
}

// The manager died after it had announced a layout to the senders, but not to this node.
TEST_F(ReceiverTest, ALayoutThatShowsNothingHereTakesEffectWithoutManager) {
  start_and_meet(kTiles);
  const FirstFrame first = show_first_frame();
  const auto& peer = first.peer;
  sail::SceneWindow elsewhere = window(1, {500, 500, 200, 120}, kWallGrid);
  elsewhere.epoch = 2;
  manager_.scene({.epoch = 2, .windows = {elsewhere}});
  expect_shown({{{0, 0, 200, 120}, first.frame.picture}}, "while the layout waits");

  const uint16_t port = manager_.address().port;
  manager_.die();
  show(*peer, 1, {2, 1}, wall_now_ns());
  manager_.listen(port);
  ASSERT_TRUE(run_until([&] { return manager_.hello().has_value(); }));
  EXPECT_EQ(manager_.hello()->epoch, 2U);
  expect_shown({}, "without the window");
}

// The sender was stalled meanwhile. The layout is valid until the next manager sends one.
TEST_F(ReceiverTest, ALayoutOfTheFormerManagerTakesEffectWhenItsSenderSaysSo) {
  start_and_meet(kTiles);
  sail::SceneWindow shown = window(1, {0, 0, 200, 120}, kWallGrid);
  manager_.scene({.epoch = 1, .windows = {shown}});
  const auto peer = connect_stream(1, kWallGrid);
  const TestFrame frame = noise_frame(kWallGrid, random_);
  send(*peer, 1, {1, 1}, frame);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  shown.epoch = 2;
  shown.wall_rect.x = 40;
  manager_.scene({.epoch = 2, .windows = {shown}});
  send(*peer, 1, {2, 1}, frame);
  send(*peer, 1, {2, 2}, frame);

  const uint16_t port = manager_.address().port;
  manager_.die();
  manager_.listen(port);
  ASSERT_TRUE(run_until([&] { return manager_.hello().has_value(); }));
  EXPECT_EQ(manager_.hello()->epoch, 2U) << "it was told, and is to be given to no other";
  show(*peer, 1, {2, 1}, 0);
  ASSERT_TRUE(run_until_reported(*peer, 2)) << "dropped";
  show(*peer, 1, {2, 2}, wall_now_ns());
  ASSERT_TRUE(run_until_reported(*peer, 3));
  EXPECT_EQ(peer->reports()[2].outcome, sail::FrameOutcome::kShown);
  expect_shown({{{40, 0, 200, 120}, frame.picture}}, "where it stands by that layout");
}

TEST_F(ReceiverTest, AnswersNonsenseFromTheManager) {
  start_and_meet(kTiles);
  for (const auto& [method, params] : {std::pair<std::string, sail::Json>{"dance", {}},
                                       {"go", {{"at_ns", "soon"}}},
                                       {"scene", {{"epoch", -1}}},
                                       {"snapshot", sail::Json::object()}}) {
    std::optional<sail::Result<sail::Json>> answer;
    manager_.peer().call(method, params,
                         [&](sail::Result<sail::Json> result) { answer = std::move(result); });
    ASSERT_TRUE(run_until([&] { return answer.has_value(); }));
    EXPECT_FALSE(*answer) << method;
  }
  // A go for an unknown scene, stream and frame.
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 99, .frames = {{9, 9, 9}}});
  expect_shown({}, "after nonsense");
}

TEST_F(ReceiverTest, TellsItsStatistics) {
  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {0, 0, 200, 120}, kWallGrid)}});
  const auto peer = connect_stream(1, kWallGrid);
  send(*peer, 1, {1, 1}, noise_frame(kWallGrid, random_));
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  ASSERT_TRUE(run_until(
      [&] { return !manager_.stats().empty() && manager_.stats().back().frames_shown == 1; }));
  EXPECT_GT(manager_.stats().back().bytes_received, 12000U);
  EXPECT_EQ(manager_.stats().back().sessions_refused, 0U);
  ASSERT_FALSE(manager_.clock_stats().empty());
  const sail::ClockStats& clock = manager_.clock_stats().back();
  EXPECT_NEAR(clock.offset_us, static_cast<double>(kOffsetNs) / 1e3, clock.error_us);
}

// Reported swap times, and changes of the panels' pixels, match the start of refreshes.
TEST_F(ReceiverTest, TellsTheRefreshOfItsDisplaysAndWhenFramesAreSeen) {
  constexpr int64_t kPeriodNs = 20'000'000;
  simulated_.hz = 50;
  simulated_.phase_ns = 5'000'000;
  start_and_meet(kTiles);
  ASSERT_TRUE(run_until(
      [&] { return !manager_.stats().empty() && !manager_.stats().back().refresh.empty(); }));
  const std::vector<sail::RefreshStats>& refresh = manager_.stats().back().refresh;
  ASSERT_EQ(refresh.size(), kTiles.size());
  EXPECT_EQ(refresh[0].tile, kTiles[0].name);
  EXPECT_EQ(refresh[0].source, sail::RefreshSource::kSimulated);
  EXPECT_EQ(refresh[0].period_ns, kPeriodNs);
  const auto off_ns = [&](int64_t wall_ns) {
    return (wall_ns - kOffsetNs - simulated_.phase_ns) % kPeriodNs;
  };
  const auto near_refresh = [&](int64_t wall_ns) {
    const int64_t off = std::abs(off_ns(wall_ns));
    const double bound_us = manager_.stats().back().clock_error_us;
    return static_cast<double>(std::min(off, kPeriodNs - off)) <= 2e3 * bound_us;
  };
  EXPECT_TRUE(near_refresh(refresh[0].at_ns)) << off_ns(refresh[0].at_ns);

  const FirstFrame first = show_first_frame();
  const auto& peer = first.peer;
  ASSERT_FALSE(peer->reports().empty());
  const int64_t seen_ns = peer->reports()[0].swapped_ns;
  EXPECT_TRUE(near_refresh(seen_ns)) << off_ns(seen_ns);
  ASSERT_TRUE(run_until([&] { return wall_now_ns() > seen_ns; }));
  expect_shown({{{0, 0, 200, 120}, first.frame.picture}}, "after the refresh");
}

TEST_F(ReceiverTest, ShowsJpeg2000AndTellsWhatItConceals) {
  const sail::BlockGrid grid({96, 64}, {32, 32});
  const TestFrame good = j2k_frame(grid, random_);
  TestFrame bad = j2k_frame(grid, random_);
  bad.blocks[4].assign(50, 0xee);  // the middle one of the lower three
  reference::Picture concealed = bad.picture;
  for (int y = 32; y < 64; ++y) std::copy_n(good.picture.at(32, y), 32 * 4, concealed.at(32, y));

  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {5, 3, 96, 64}, grid)}});
  const auto peer = connect_stream(1, grid, {.id = good.codec});
  send(*peer, 1, {1, 1}, good);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  expect_shown({{{5, 3, 96, 64}, good.picture}}, "first");
  // The second frame is based on the first, as SAIL's frames are.
  std::vector<std::pair<sail::BlockRun, std::vector<uint8_t>>> runs;
  for (uint16_t block = 0; block < 6; ++block) {
    runs.push_back({{2, static_cast<uint16_t>(block / 3), static_cast<uint16_t>(block % 3), 1},
                    bad.blocks[block]});
  }
  peer->send(frame_bytes(1, {1, 2}, 6, runs, 1));
  show(*peer, 1, {1, 2}, wall_now_ns());
  ASSERT_TRUE(run_until_reported(*peer, 2));
  expect_shown({{{5, 3, 96, 64}, concealed}}, "with an unreadable block");
  // The layout changes, the frame does not.
  manager_.scene({.epoch = 2, .windows = {window(1, {20, 10, 150, 50}, grid)}});
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 2, .frames = {}});
  ASSERT_TRUE(run_until([&] { return !manager_.stats().empty(); }));
  expect_shown({{{20, 10, 150, 50}, concealed}}, "elsewhere");
  ASSERT_TRUE(run_until([&] { return manager_.stats().back().blocks_concealed == 1; }));
  EXPECT_EQ(manager_.stats().back().sessions_refused, 0U);
  EXPECT_TRUE(peer->closes().empty());
}

// A full frame; the tiles show different parts of it in turn.
TEST_F(ReceiverTest, ShowsAnyPartOfALargePicture) {
  const sail::BlockGrid grid({600, 400}, {608, 400});
  const TestFrame frame = j2k_frame(grid, random_);
  start_and_meet(kTiles);
  manager_.scene({.epoch = 1, .windows = {window(1, {5, 3, 600, 400}, grid)}});
  const auto peer = connect_stream(1, grid, {.id = frame.codec});
  send(*peer, 1, {1, 1}, frame);
  manager_.go({.at_ns = wall_now_ns(), .scene_epoch = 1, .frames = {{1, 1, 1}}});
  ASSERT_TRUE(run_until_reported(*peer, 1));
  expect_shown({{{5, 3, 600, 400}, frame.picture}}, "first");
  uint64_t epoch = 1;
  for (const Rect& rect :
       {Rect{-60, -40, 600, 400}, Rect{-380, -260, 600, 400}, Rect{10, 10, 150, 100}}) {
    manager_.scene({.epoch = ++epoch, .windows = {window(1, rect, grid)}});
    manager_.go({.at_ns = wall_now_ns(), .scene_epoch = epoch, .frames = {}});
    const size_t heard = manager_.stats().size();
    ASSERT_TRUE(run_until([&] { return manager_.stats().size() > heard; }));
    expect_shown({{rect, frame.picture}}, "moved");
  }
  EXPECT_EQ(manager_.stats().back().blocks_concealed, 0U);
  EXPECT_TRUE(peer->closes().empty());
}

TEST_F(ReceiverTest, SeveralReceiversInOneProcess) {
  start_and_meet(kTiles);
  ScriptedManager second_manager(loop_);
  second_manager.set_tiles({kTiles[0]});
  Receiver second({.name = "second", .manager = second_manager.address()},
                  make_cpu_display(make_null_window_system(), 0), log_);
  std::thread thread([&] { EXPECT_TRUE(second.run()); });
  EXPECT_TRUE(run_until([&] { return second_manager.clock_readings() >= 8; }));
  expect_shown({}, "first");
  second.quit();
  thread.join();
}

}  // namespace
}  // namespace receiver
