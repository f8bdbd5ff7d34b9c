#include "sail/apps/play/test_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "sail/core/base/glyphs.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int kBandPeriod = 512;  // period of the detail, pixels
constexpr int kBandStep = 4;      // pixels per frame
constexpr int kMaxCells = 256;
constexpr Size kSmallestWithLabel = {960, 540};

uint32_t crc32(const std::array<uint8_t, 5>& bytes) {
  uint32_t crc = 0xFFFFFFFFU;
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

uint32_t check_of(const PatchContent& content) {
  return crc32({static_cast<uint8_t>(content.frame >> 16U),
                static_cast<uint8_t>(content.frame >> 8U), static_cast<uint8_t>(content.frame),
                static_cast<uint8_t>(content.column), static_cast<uint8_t>(content.row)});
}

uint32_t bgrx(unsigned red, unsigned green, unsigned blue) {
  return 0xFF000000U | red << 16U | green << 8U | blue;
}

void put(uint8_t* pixel, uint32_t colour) {
  std::memcpy(pixel, &colour, 4);
}

// The usual colour bars: eight at full level above eight at three quarters.
uint32_t bar_colour(int x, int y, Size size) {
  constexpr uint8_t kOrder[8] = {7, 6, 3, 2, 5, 4, 1, 0};
  const unsigned bits = kOrder[std::min(7, x * 8 / size.width)];
  const unsigned level = y * 8 < size.height ? 255 : 191;
  return bgrx((bits & 4U) != 0 ? level : 0, (bits & 2U) != 0 ? level : 0,
              (bits & 1U) != 0 ? level : 0);
}

// Lower half: hues across the width, darker towards the bottom, above sixteen grey steps.
uint32_t ramp_colour(int x, int y, Size size) {
  if (y * 8 >= size.height * 7) {
    const auto grey = static_cast<unsigned>(x * 16 / size.width * 17);
    return bgrx(grey, grey, grey);
  }
  const double turn = 6.283185307 * x / size.width;
  const double level = 1.0 - 0.8 * (y - size.height * 0.5) / (size.height * 0.375);
  const auto channel = [&](double phase) {
    return static_cast<unsigned>(
        std::clamp((127.5 + 127.5 * std::cos(turn + phase)) * level, 0.0, 255.0));
  };
  return bgrx(channel(0), channel(2.0943951), channel(4.1887902));
}

// Coloured rings that become finer: hard to scale and to compress. Period kBandPeriod.
uint32_t detail_colour(int x, int y, int height) {
  const double dx = x % kBandPeriod - kBandPeriod / 2.0;
  const double dy = y - height / 2.0;
  const double wave = std::cos((dx * dx + dy * dy) * 0.0035);
  const auto level = static_cast<unsigned>(127.5 + 127.5 * wave);
  const auto tint = static_cast<unsigned>(x % kBandPeriod * 255 / kBandPeriod);
  return bgrx(level, (level + tint) / 2, 255 - level / 2);
}

constexpr std::string_view kPrefix = "test:";
constexpr SizeAtFps kUsual = {{1920, 1080}, 30};

}  // namespace

PatchSquares encode_patch(const PatchContent& content) {
  const uint64_t head = uint64_t{content.frame & kMaxCardFrame} << 40U |
                        uint64_t{static_cast<uint8_t>(content.column)} << 32U |
                        uint64_t{static_cast<uint8_t>(content.row)} << 24U;
  const uint32_t check = check_of(content);
  const uint64_t first = (head | check >> 8U) ^ kPatchMask[0];
  const uint64_t last = (check & 0xFFU) ^ kPatchMask[1];
  PatchSquares squares{};
  // 72 bits: 21 whole squares from the first 64, one that straddles, two from the last eight.
  for (size_t i = 0; i < 21; ++i) squares[i] = static_cast<uint8_t>(first >> (61 - 3 * i) & 7U);
  squares[21] = static_cast<uint8_t>((first & 1U) << 2U | last >> 6U);
  squares[22] = static_cast<uint8_t>(last >> 3U & 7U);
  squares[23] = static_cast<uint8_t>(last & 7U);
  return squares;
}

TestCard::TestCard(Size size, double fps)
    : size_(size),
      caption_(fmt::format("{}x{} {:g} fps", size.width, size.height, fps)),
      band_top_(size.height / 4),
      band_height_(size.height / 4),
      pixels_(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4) {
  if (size.width >= kSmallestWithLabel.width && size.height >= kSmallestWithLabel.height) {
    const int columns = size.width / kCardCell;
    const int rows = size.height / kCardCell;
    const int width = columns / 2;
    const int height = std::max(2, rows / 4);
    label_ = {(columns - width) / 2 * kCardCell, (rows - height) / 2 * kCardCell, width * kCardCell,
              height * kCardCell};
  }
  paint_background();
}

void TestCard::paint_background() {
  for (int y = 0; y < size_.height; ++y) {
    uint8_t* pixel = row(y);
    for (int x = 0; x < size_.width; ++x, pixel += 4) {
      const bool line =
          x % kCardCell == 0 || y % kCardCell == 0 || x == size_.width - 1 || y == size_.height - 1;
      uint32_t colour = 0xFFFFFFFFU;
      if (!line) {
        colour = y < size_.height / 2 ? bar_colour(x, y, size_) : ramp_colour(x, y, size_);
      }
      put(pixel, colour);
    }
  }
  const size_t strip_width = static_cast<size_t>(size_.width) + kBandPeriod;
  strip_.resize(strip_width * static_cast<size_t>(band_height_) * 4);
  for (int y = 0; y < band_height_; ++y) {
    uint8_t* pixel = &strip_[static_cast<size_t>(y) * strip_width * 4];
    for (size_t x = 0; x < strip_width; ++x, pixel += 4) {
      put(pixel, detail_colour(static_cast<int>(x), y, band_height_));
    }
  }
}

codecs::ImageView TestCard::paint(uint64_t frame) {
  paint_band(frame);
  if (!label_.empty()) paint_label(frame);
  paint_patches(frame);
  codecs::ImageView view;
  view.format = codecs::PixelFormat::kBgra;
  view.width = size_.width;
  view.height = size_.height;
  view.planes[0] = pixels_.data();
  view.strides[0] = static_cast<ptrdiff_t>(stride());
  return view;
}

void TestCard::paint_band(uint64_t frame) {
  const auto pan = static_cast<size_t>(frame * kBandStep % kBandPeriod);
  const size_t strip_stride = (static_cast<size_t>(size_.width) + kBandPeriod) * 4;
  for (int y = 0; y < band_height_; ++y) {
    std::memcpy(row(band_top_ + y), &strip_[static_cast<size_t>(y) * strip_stride + pan * 4],
                stride());
  }
}

void TestCard::paint_label(uint64_t frame) {
  const std::string number = fmt::format("{:06}", frame);
  for (int y = label_.y; y < label_.bottom(); ++y) {
    std::memset(row(y) + static_cast<size_t>(label_.x) * 4, 0,
                static_cast<size_t>(label_.width) * 4);
  }
  const GlyphTarget target{pixels_.data(), static_cast<ptrdiff_t>(stride()), size_};
  const Size unit = text_size(number, 1);
  const int large = std::max(
      1, std::min(label_.width * 9 / 10 / unit.width, label_.height * 6 / 10 / unit.height));
  const int small =
      std::max(1, std::min(label_.width * 9 / 10 / text_size(caption_, 1).width, large / 3));
  const Size number_size = text_size(number, large);
  const Size caption_size = text_size(caption_, small);
  const int gap = (label_.height - number_size.height - caption_size.height) / 3;
  draw_text(target, number, label_.x + (label_.width - number_size.width) / 2, label_.y + gap,
            large, 0xFFFFFF);
  draw_text(target, caption_, label_.x + (label_.width - caption_size.width) / 2,
            label_.y + 2 * gap + number_size.height, small, 0xFFC040);
}

bool TestCard::has_patch(int column, int row) const {
  const int x = column * kCardCell;
  const int y = row * kCardCell;
  return column >= 0 && row >= 0 && column < kMaxCells && row < kMaxCells &&
         x + kCardCell <= size_.width && y + kCardCell <= size_.height && !label_.contains(x, y);
}

void TestCard::paint_patches(uint64_t frame) {
  uint32_t line[kPatchWidth];
  for (int cell_row = 0; cell_row < size_.height / kCardCell; ++cell_row) {
    for (int column = 0; column < size_.width / kCardCell; ++column) {
      if (!has_patch(column, cell_row)) continue;
      const PatchSquares squares =
          encode_patch({static_cast<uint32_t>(frame & kMaxCardFrame), column, cell_row});
      const size_t left = static_cast<size_t>(column * kCardCell + kPatchInset) * 4;
      for (int patch_row = 0; patch_row < kPatchRows; ++patch_row) {
        for (int x = 0; x < kPatchWidth; ++x) {
          const int square = patch_row * kPatchColumns + x / kPatchSquare;
          const unsigned bits = squares[static_cast<size_t>(square)];
          line[x] = bgrx((bits >> 2U & 1U) * 255, (bits >> 1U & 1U) * 255, (bits & 1U) * 255);
        }
        const int top = cell_row * kCardCell + kPatchInset + patch_row * kPatchSquare;
        for (int y = 0; y < kPatchSquare; ++y) std::memcpy(row(top + y) + left, line, sizeof(line));
      }
    }
  }
}

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
