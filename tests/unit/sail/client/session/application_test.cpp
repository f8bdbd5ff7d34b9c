#include "tests/unit/sail/client/session/application_test.h"

#include <algorithm>
#include <chrono>

#include "codecs/dxt/dxt.h"
#include "sail/core/wall/block_grid.h"

namespace sail {

std::vector<uint8_t> make_pixels(Size size, int seed) {
  std::vector<uint8_t> pixels;
  pixels.reserve(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      for (const int value : {x / 2 + 31 * seed, y + x / 7, 5 * seed + y / 3, 255}) {
        pixels.push_back(static_cast<uint8_t>(value));
      }
    }
  }
  return pixels;
}

sail_frame bgra_frame(const std::vector<uint8_t>& pixels, Size size) {
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = pixels.data();
  frame.strides[0] = ptrdiff_t{4} * size.width;
  return frame;
}

std::vector<uint8_t> expected_block(const std::vector<uint8_t>& pixels, Size size, int column,
                                    int row) {
  codecs::ImageView image;
  image.format = codecs::PixelFormat::kBgra;
  image.width = size.width;
  image.height = size.height;
  image.planes[0] = pixels.data();
  image.strides[0] = ptrdiff_t{4} * size.width;
  const Rect rect = BlockGrid(size, kDefaultBlockSize).block_rect(column, row);
  std::vector<uint8_t> bytes(codecs::dxt_bytes(codecs::CodecId::kDxt1, rect.width, rect.height));
  codecs::dxt_encode(codecs::CodecId::kDxt1, image, rect.x, rect.y, rect.width, rect.height,
                     codecs::DxtMode::kGood, bytes.data(), codecs::CpuLevel::kReference);
  return bytes;
}

ApplicationTest::ApplicationTest() {
  wall.run([this] {
    manager = std::make_unique<FakeManager>(wall.loop());
    left = std::make_unique<FakeReceiver>(wall.loop(), "left");
    right = std::make_unique<FakeReceiver>(wall.loop(), "right");
    manager->first_routes = both_routes();
  });
}

ApplicationTest::~ApplicationTest() {
  sail_session_close(session);
  wall.run([this] {
    for (const FakeReceiver* receiver : {left.get(), right.get()}) {
      for (const std::string& mistake : receiver->mistakes) ADD_FAILURE() << mistake;
    }
    manager.reset();
    left.reset();
    right.reset();
  });
}

std::vector<Route> ApplicationTest::both_routes() const {
  return {left->route({{0, 0, 2, kRows}}), right->route({{1, 0, 2, kRows}})};
}

void ApplicationTest::open_session() {
  const std::string address = wall.run([this] { return address_text(manager->address()); });
  sail_session_options options{};
  options.name = "tester";
  options.manager = address.c_str();
  options.encode_threads = 2;
  options.quiet = 1;
  sail_error error{};
  session = sail_session_open(&options, &error);
  ASSERT_NE(session, nullptr) << error.text;
}

void ApplicationTest::open_stream(bool wait_when_full, Size size) {
  if (session == nullptr) open_session();
  ASSERT_NE(session, nullptr);
  size_ = size;
  sail_stream_options options{};
  options.title = "a picture";
  options.width = size.width;
  options.height = size.height;
  options.wait_when_full = wait_when_full ? 1 : 0;
  options.delay_ms = delay_ms;
  options.codec = codec;
  sail_error error{};
  stream = sail_stream_open(session, &options, &error);
  ASSERT_NE(stream, nullptr) << error.text;
}

sail_status ApplicationTest::submit(int seed, uint64_t* number) {
  const std::vector<uint8_t> pixels = make_pixels(size_, seed);
  const sail_frame frame = bgra_frame(pixels, size_);
  return sail_submit(stream, &frame, number);
}

sail_stream_stats ApplicationTest::stats() const {
  sail_stream_stats stats{};
  EXPECT_EQ(sail_stream_get_stats(stream, &stats), SAIL_OK);
  return stats;
}

std::optional<sail_event> ApplicationTest::next_event(sail_event_type type) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kTestDeadlineMs);
  while (std::chrono::steady_clock::now() < until) {
    sail_event event{};
    if (sail_poll_event(session, &event, 100) == SAIL_OK && event.type == type) return event;
  }
  return std::nullopt;
}

bool ApplicationTest::wait_frames(FakeReceiver& receiver, size_t count) {
  return wall.wait(
      [&] { return receiver.frames.size() >= count && receiver.frames[count - 1].whole; });
}

ReceivedFrame ApplicationTest::frame_of(FakeReceiver& receiver, size_t index) {
  return wall.run([&] { return receiver.frames.at(index); });
}

void ApplicationTest::expect_blocks(const ReceivedFrame& frame, int seed,
                                    std::vector<std::pair<int, int>> blocks) {
  const std::vector<uint8_t> pixels = make_pixels(size_, seed);
  for (const auto& place : frame.came) {
    EXPECT_NE(std::find(blocks.begin(), blocks.end(), place), blocks.end())
        << "nobody asked for row " << place.first << ", column " << place.second;
  }
  for (const auto& [row, column] : blocks) {
    const auto block = frame.blocks.find({row, column});
    ASSERT_NE(block, frame.blocks.end()) << "row " << row << ", column " << column;
    EXPECT_EQ(block->second, expected_block(pixels, size_, column, row))
        << "row " << row << ", column " << column;
  }
  EXPECT_TRUE(std::is_sorted(frame.rows.begin(), frame.rows.end()));
}

}  // namespace sail
