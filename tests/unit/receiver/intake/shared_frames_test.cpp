// Frames from SAIL's encoded rows to the receiver's frame, over the connection and in shared
// memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codecs/color/convert.h"
#include "codecs/picture/block_encoder.h"
#include "receiver/intake/frame_intake.h"
#include "sail/client/encode/encoded_frame.h"
#include "sail/client/transport/frame_messages.h"
#include "sail/core/time/wall_clock.h"

namespace receiver {
namespace {

using codecs::PixelFormat;
using sail::SealedMemory;

// 3 × 2 blocks; the last column and row are smaller and have odd sides.
const sail::BlockGrid kSharedGrid({75, 49}, {32, 32});
constexpr sail::StreamCodec kRawCodec{codecs::CodecId::kRaw, codecs::Compression::kNone};
constexpr uint32_t kSharedStream = 7;

class SentPicture {
 public:
  SentPicture(PixelFormat format, uint8_t seed)
      : format_(format), bytes_(size_t{8} * 75 * 50), seed_(seed) {
    for (size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<uint8_t>(i * 7 + seed_);
  }
  codecs::ImageView view() const {
    const auto format = format_ == PixelFormat::kNv12 ? PixelFormat::kI420 : format_;
    codecs::ImageView view = codecs::packed_view(format, 75, 49, bytes_.data());
    view.format = format_;
    if (format_ == PixelFormat::kNv12) view.strides[1] = 76;
    return view;
  }

 private:
  PixelFormat format_;
  std::vector<uint8_t> bytes_;
  uint8_t seed_;
};

class SharedFrames : public testing::TestWithParam<PixelFormat>, private FrameIntake::Host {
 protected:
  SharedFrames() {
    frames_.take()->memory_demand()->add();
    EXPECT_TRUE(frames_.take()->memory());
    sail::Routes routes{.stream = kSharedStream,
                        .epoch = 1,
                        .wall_rect = {},
                        .routes = {{"a", "h", 1, {{0, 0, 3, 2}}}}};
    plan_ = *sail::make_route_plan(
        routes, {.frame_size = kSharedGrid.frame_size(), .block_size = kSharedGrid.block_size()});
    const auto name = intake_.listen_for_memory();
    EXPECT_TRUE(name && sail::hand_over(*frames_.rows().memory(), *name));
    EXPECT_TRUE(intake_.take_memory({.bytes = frames_.rows().memory()->bytes().size()}));
  }

  sail::FrameRef encoded(const codecs::ImageView& image, uint64_t number) {
    sail::FrameRef frame = frames_.take();
    const codecs::PictureColor color = codecs::color_of(image);
    const bool planar = codecs::is_planar(kRawCodec.id, kRawCodec.compression, color.matrix);
    frame->begin(number, 1, plan_.wanted, true, color);
    codecs::BlockEncoder encoder(kRawCodec.id, kRawCodec.compression);
    for (int row = 0; row < kSharedGrid.rows(); ++row) {
      sail::BlockRowRef blocks = frames_.rows().take(row);
      for (int column = 0; column < kSharedGrid.columns(); ++column) {
        const sail::Rect rect = kSharedGrid.block_rect(column, row);
        blocks->add(column, number,
                    encoder.encode(image, 0, rect.x, rect.y, rect.width, rect.height,
                                   {.mode = {}, .j2k = {}, .planar = planar}, blocks->space()));
      }
      frame->set_row(row, std::move(blocks), true, 1);
    }
    return frame;
  }

  // Returns the bytes on the connection.
  size_t send(const sail::FrameRef& frame, uint64_t base, const SealedMemory* memory) {
    messages_.begin({.frame = frame, .plan = plan_.receivers[0], .epoch = 1}, kSharedStream, base,
                    memory);
    messages_.add_rows(held_, clock_);
    for (std::span<const uint8_t> part : messages_.parts()) {
      while (!part.empty()) {
        const auto room = reader_.read_buffer();
        const size_t count = std::min(room.size(), part.size());
        std::memcpy(room.data(), part.data(), count);
        part = part.subspan(count);
        const auto error = reader_.on_read(count);
        EXPECT_FALSE(error) << error->text;
        if (error) return 0;
      }
    }
    return messages_.bytes();
  }

  // The pixels of the frame that came last.
  std::vector<uint8_t> painted() const {
    std::vector<uint8_t> pixels(size_t{4} * 75 * 49);
    for (int row = 0; row < kSharedGrid.rows(); ++row) {
      for (int column = 0; column < kSharedGrid.columns(); ++column) {
        const sail::Rect rect = kSharedGrid.block_rect(column, row);
        codecs::convert_to_bgra(here_->picture(column, row), 0, 0, rect.width, rect.height,
                                {&pixels[static_cast<size_t>(4 * (rect.y * 75 + rect.x))], 4 * 75},
                                codecs::CpuLevel::kReference);
      }
    }
    return pixels;
  }
  static std::vector<uint8_t> wanted(const codecs::ImageView& image) {
    std::vector<uint8_t> pixels(size_t{4} * 75 * 49);
    codecs::convert_to_bgra(image, 0, 0, 75, 49, {pixels.data(), 4 * 75},
                            codecs::CpuLevel::kReference);
    return pixels;
  }

  sail::FramePool frames_{kSharedGrid, 3, [](int width, int height) {
                            return codecs::max_block_bytes(kRawCodec.id, width, height);
                          }};
  std::unique_ptr<Frame> here_;

 private:
  void frame_whole(std::unique_ptr<Frame> frame) override {
    if (here_) intake_.recycle(std::move(here_));
    here_ = std::move(frame);
    intake_.count_reported();
  }
  void frame_incomplete(std::unique_ptr<Frame> /*frame*/) override { ADD_FAILURE(); }
  void frame_lost(const FrameSource& /*source*/, const FrameKey& /*key*/,
                  std::unique_ptr<Frame> /*frame*/) override {
    ADD_FAILURE();
  }

  sail::RoutePlan plan_;
  FrameIntake intake_{
      {.stream = kSharedStream, .session = 1, .codec = kRawCodec, .grid = kSharedGrid}, 4, *this};
  MessageReader reader_{intake_};
  sail::HeldBlocks held_{.grid = kSharedGrid, .versions = std::vector<uint64_t>(6)};
  sail::WallClock clock_;
  sail::FrameMessages messages_;
};

TEST_P(SharedFrames, AreTheSamePixelsAsOverTheConnection) {
  const SentPicture first(GetParam(), 1), second(GetParam(), 90);
  const SealedMemory* memory = frames_.rows().memory();
  const size_t sent = send(encoded(first.view(), 1), 0, nullptr);
  ASSERT_TRUE(here_);
  EXPECT_EQ(painted(), wanted(first.view()));
  const size_t shared = send(encoded(second.view(), 2), 1, memory);
  EXPECT_EQ(painted(), wanted(second.view()));
  EXPECT_LT(shared, 400U);
  EXPECT_GT(sent, 75U * 49U);
}

// The receiver has its own copy: SAIL may reuse the memory once the frame is reported.
TEST_P(SharedFrames, StayWhenTheMemoryIsReused) {
  const SentPicture picture(GetParam(), 5);
  send(encoded(picture.view(), 1), 0, frames_.rows().memory());
  std::ranges::fill(frames_.rows().memory()->bytes(), uint8_t{0});
  EXPECT_EQ(painted(), wanted(picture.view()));
}

INSTANTIATE_TEST_SUITE_P(Formats, SharedFrames,
                         testing::Values(PixelFormat::kBgra, PixelFormat::kI420,
                                         PixelFormat::kNv12));

}  // namespace
}  // namespace receiver
