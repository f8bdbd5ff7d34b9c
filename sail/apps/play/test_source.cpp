#include "sail/apps/play/test_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr std::string_view kPrefix = "test:";
constexpr SizeAtFps kUsual = {{1920, 1080}, 30};

}  // namespace

bool is_test_url(std::string_view url) {
  return url.substr(0, kPrefix.size()) == kPrefix;
}

std::optional<SizeAtFps> parse_test_url(std::string_view url) {
  if (!is_test_url(url)) return std::nullopt;
  if (url.size() == kPrefix.size()) return kUsual;
  const auto picture = parse_size_at_fps(url.substr(kPrefix.size()), kUsual.fps);
  return picture && picture->fps > 0 ? picture : std::nullopt;
}

TestSource::TestSource(const SizeAtFps& picture) : size_(picture.size), fps_(picture.fps) {
  info_.description =
      fmt::format("test card, {}x{}, {:g} fps", picture.size.width, picture.size.height, fps_);
}

Result<std::optional<Picture>> TestSource::next() {
  ++frame_;
  auto card = cards_.take(size_, fps_);
  const codecs::ImageView view = card->memory.paint(frame_);
  Picture picture;
  picture.pixels.format = SAIL_BGRA;
  picture.pixels.planes[0] = view.planes[0];
  picture.pixels.strides[0] = view.strides[0];
  cards_.lend(std::move(card), picture);
  picture.size = picture.display_size = size_;
  picture.pts_ns = std::llround(static_cast<double>(frame_ - 1) * kSecondNs / fps_);
  picture.duration_ns = std::llround(kSecondNs / fps_);
  return std::optional<Picture>(std::move(picture));
}

Result<void> TestSource::seek(int64_t position_ns) {
  // Add 1 ns, so that a frame's own time leads to that frame despite rounding.
  const double frame =
      (static_cast<double>(std::max<int64_t>(position_ns, 0)) + 1) * fps_ / kSecondNs;
  frame_ = static_cast<uint64_t>(frame);
  return {};
}

}  // namespace sail
