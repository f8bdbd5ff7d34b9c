#include "tests/bench/ui/still_windows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr int kPollMs = 100;
// Greys of neighbours differ.
constexpr size_t kDarkest = 0x40;
constexpr size_t kGreys = 0x80;
constexpr size_t kGreyStep = 37;
constexpr size_t kPattern = 16;  // pixels in a picture differ as well

}  // namespace

sail::Result<std::unique_ptr<StillWindows>> StillWindows::open(const std::string& manager,
                                                               size_t count, sail::Size wall_size,
                                                               const char* codec) {
  std::unique_ptr<StillWindows> windows(new StillWindows);
  sail_session_options options{};
  options.name = "stills";
  options.manager = manager.c_str();
  options.encode_threads = -1;
  options.quiet = 1;
  std::string error;
  windows->session_ = std::make_unique<sail::Session>(options, &error);
  if (!*windows->session_) return sail::fail(sail::ErrorCode::kUnavailable, error);
  const int columns = std::max(1, static_cast<int>(std::ceil(std::sqrt(count))));
  const int cell_width = wall_size.width / columns;
  const int cell_height = wall_size.height / columns;
  for (size_t i = 0; i < count; ++i) {
    const auto column = static_cast<int>(i) % columns;
    const auto row = static_cast<int>(i) / columns;
    const sail_rect place{column * cell_width, row * cell_height, std::max(cell_width * 3 / 4, 16),
                          std::max(cell_height * 3 / 4, 9)};
    if (auto opened = windows->open_one(fmt::format("still {}", i), place, codec); !opened) {
      return opened.error();
    }
  }
  windows->attendant_ = std::thread([self = windows.get()] { self->refresh_on_demand(); });
  return windows;
}

StillWindows::~StillWindows() {
  ending_ = true;
  if (attendant_.joinable()) attendant_.join();
}

sail::Result<void> StillWindows::open_one(const std::string& title, const sail_rect& place,
                                          const char* codec) {
  sail_stream_options options{};
  options.title = title.c_str();
  options.width = kPicture.width;
  options.height = kPicture.height;
  options.codec = codec;
  options.place = place;
  std::string error;
  sail::Stream stream = session_->open(options, &error);
  if (!stream) return sail::fail(sail::ErrorCode::kUnavailable, error);
  streams_.push_back(std::move(stream));
  show(streams_.size() - 1);
  return {};
}

std::vector<uint8_t> StillWindows::pixels(size_t index) {
  const size_t grey = kDarkest + index * kGreyStep % kGreys;
  std::vector<uint8_t> pixels(static_cast<size_t>(kPicture.width) * kPicture.height * 4);
  for (size_t i = 0; i < pixels.size(); ++i) {
    const size_t pixel = i / 4;
    pixels[i] = static_cast<uint8_t>(grey + (pixel + pixel / kPicture.width) % kPattern);
  }
  return pixels;
}

void StillWindows::show(size_t index) {
  const std::vector<uint8_t> pixels = StillWindows::pixels(index);
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = pixels.data();
  frame.strides[0] = ptrdiff_t{kPicture.width} * 4;
  streams_[index].submit(frame);
}

void StillWindows::refresh_on_demand() {
  while (!ending_) {
    const auto event = session_->poll(kPollMs);
    if (!event || event->type != SAIL_EVENT_REFRESH) continue;
    const auto wanted = std::find_if(streams_.begin(), streams_.end(), [&](const auto& stream) {
      return stream.get() == event->stream;
    });
    if (wanted != streams_.end()) show(static_cast<size_t>(wanted - streams_.begin()));
  }
}

std::vector<uint32_t> StillWindows::numbers() const {
  std::vector<uint32_t> numbers;
  numbers.reserve(streams_.size());
  for (const sail::Stream& stream : streams_) numbers.push_back(stream.id());
  return numbers;
}

}  // namespace bench
