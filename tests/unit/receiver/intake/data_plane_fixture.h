// A data port on loopback, and its output.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "receiver/intake/data_plane.h"
#include "sail/core/time/clock.h"
#include "tests/support/loop_test.h"
#include "tests/unit/receiver/intake/data_peer.h"

namespace receiver {

inline const sail::BlockGrid kGrid({128, 64}, {64, 32});
constexpr uint32_t kStream = 3;
constexpr uint32_t kGoodStream = 4;
constexpr uint64_t kSecret = 0x1234567890abcdef;

inline sail::StreamOpen open_message(uint64_t secret = kSecret,
                                     const sail::StreamCodec& codec = {}) {
  return {.secret = secret,
          .codec = codec,
          .frame_size = kGrid.frame_size(),
          .block_size = kGrid.block_size()};
}

inline sail::Scene scene_of(const std::vector<uint32_t>& streams, uint64_t map_epoch = 1) {
  sail::Scene scene{.epoch = 1, .windows = {}};
  for (const uint32_t stream : streams) {
    scene.windows.push_back({.window = stream,
                             .secret = kSecret,
                             .epoch = map_epoch,
                             .wall_rect = {0, 0, 128, 64},
                             .frame_size = kGrid.frame_size(),
                             .block_size = kGrid.block_size()});
  }
  return scene;
}

class DataPlaneTest : public testing::Test {
 protected:
  explicit DataPlaneTest(int64_t open_timeout_ms = 60000,
                         size_t memory_bytes = MemoryBudget::usual_bytes(),
                         sail::LogLevel log_level = sail::LogLevel::kOff)
      : open_timeout_ms_(open_timeout_ms), memory_bytes_(memory_bytes), log_("test", log_level) {
    const auto port = data_.listen({"127.0.0.1", 0});
    EXPECT_TRUE(port);
    at_ = {"127.0.0.1", port.value_or(0)};
  }
  std::unique_ptr<DataPeer> connect() {
    auto peer = std::make_unique<DataPeer>(loop_, at_);
    peer->on_ready = [this](uint32_t stream, const FrameKey& key) {
      ready_.emplace_back(stream, key);
    };
    return peer;
  }
  std::unique_ptr<DataPeer> connect_stream(uint32_t stream, const sail::StreamCodec& codec = {}) {
    auto peer = connect();
    peer->open(stream, open_message(kSecret, codec));
    EXPECT_TRUE(sail::run_until(loop_, [&] { return peer->accepted(); }));
    return peer;
  }
  bool run_until(const std::function<bool()>& condition) {
    return sail::run_until(loop_, condition);
  }
  // Reports the frame as shown, as the main thread would.
  void show(std::unique_ptr<Frame> frame) {
    data_.frames().report({.stream = frame->stream(),
                           .session = frame->session(),
                           .key = frame->key(),
                           .assembled_ns = frame->assembled_ns(),
                           .swapped_ns = sail::steady_now_ns()});
    data_.frames().recycle(std::move(frame));
  }

  const int64_t open_timeout_ms_;
  const size_t memory_bytes_;
  const sail::Log log_;
  sail::Loop loop_;
  std::vector<std::pair<uint32_t, FrameKey>> ready_;  // reported to peers
  std::vector<std::pair<uint32_t, sail::FrameShow>> shows_;
  std::vector<std::unique_ptr<Frame>> due_;
  std::vector<std::pair<uint64_t, int64_t>> snapshots_;
  std::vector<sail::Thumbnail> thumbnails_;
  std::vector<std::pair<uint32_t, sail::Sound>> sounds_;  // sample memory is not kept
  DataPlane data_{
      loop_,
      {.on_show = [this](uint32_t stream,
                         const sail::FrameShow& show) { shows_.emplace_back(stream, show); },
       .on_due = [this](std::unique_ptr<Frame> frame) { due_.push_back(std::move(frame)); },
       .on_snapshot = [this](uint64_t id, int64_t at_ns) { snapshots_.emplace_back(id, at_ns); },
       .on_sound = [this](uint32_t stream,
                          const sail::Sound& sound) { sounds_.emplace_back(stream, sound); },
       .on_thumbnail =
           [this](const sail::Thumbnail& thumbnail) { thumbnails_.push_back(thumbnail); },
       .to_wall_ns = [](int64_t steady_ns) { return steady_ns; }},
      log_,
      {.decode_workers = 1, .memory_bytes = memory_bytes_, .open_timeout_ms = open_timeout_ms_}};
  sail::Address at_;
};

}  // namespace receiver
