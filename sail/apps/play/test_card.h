// A test picture (BGRA) for viewers and automatic tests. Viewers see colour bars, grey steps, a
// grid, panning fine detail, and the frame number and size in large letters. For tests, each 64×64
// cell has a patch with the frame number and the cell's position (tests/support/card_reader.h). So
// a test can tell which frame and which pixel a tile shows. Single-threaded; pure.
//
// A patch has 6×4 squares of 8×8 pixels. Each square has one of the eight colours whose channels
// are 0 or 255; DXT1 preserves such uniform blocks exactly. The squares, row by row, carry 3 bits
// each (R, G, B from the high bit), most significant first: frame number (24), cell column (8),
// cell row (8), check (32: CRC-32 of the five bytes before). All bits are XORed with kPatchMask, so
// that small numbers have as many edges as large ones.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/image.h"
#include "sail/core/base/geometry.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/source/recycler.h"
#include "sail/media/source/source.h"

namespace sail {

constexpr int kCardCell = 64;     // pixels
constexpr int kPatchInset = 8;    // from the cell's left and top edges
constexpr int kPatchSquare = 8;   // pixels
constexpr int kPatchColumns = 6;  // squares
constexpr int kPatchRows = 4;     // squares
constexpr int kPatchWidth = kPatchColumns * kPatchSquare;
constexpr int kPatchHeight = kPatchRows * kPatchSquare;
constexpr uint32_t kMaxCardFrame = (1U << 24U) - 1;
constexpr uint64_t kPatchMask[2] = {0x9E3779B97F4A7C15U, 0xD1U};  // the first 64 bits, the last 8

struct PatchContent {
  uint32_t frame = 0;  // modulo 2^24
  int column = 0;      // in cells
  int row = 0;

  bool operator==(const PatchContent&) const = default;
};

// The colours of the squares, row by row: bit 2 red, bit 1 green, bit 0 blue.
using PatchSquares = std::array<uint8_t, kPatchColumns * kPatchRows>;
PatchSquares encode_patch(const PatchContent& content);

class TestCard {
 public:
  // Sides from 1 to kMaxFrameSide.
  TestCard(Size size, double fps);

  Size size() const { return size_; }
  // Paints the parts that differ between frames. The returned picture is valid until the next call.
  // Frame numbers above kMaxCardFrame wrap around in the patches.
  codecs::ImageView paint(uint64_t frame);

  // Returns true if the cell has a patch: it must lie completely in the picture, within the first
  // 256 × 256 cells, and not under the large letters. Letters need at least 960×540.
  bool has_patch(int column, int row) const;

 private:
  void paint_background();
  void paint_band(uint64_t frame);
  void paint_label(uint64_t frame);
  void paint_patches(uint64_t frame);
  uint8_t* row(int y) { return &pixels_[static_cast<size_t>(y) * stride()]; }
  size_t stride() const { return static_cast<size_t>(size_.width) * 4; }

  const Size size_;
  const std::string caption_;
  Rect label_;        // box of the large letters, whole cells; empty: no letters
  int band_top_ = 0;  // rows of the panning detail
  int band_height_ = 0;
  std::vector<uint8_t> pixels_;
  std::vector<uint8_t> strip_;  // the band's detail, kBandPeriod pixels wider than the picture
};

// Returns true if the URL begins with "test:".
bool is_test_url(std::string_view url);
// Parses "test:", "test:WxH" or "test:WxH@FPS" (FPS not 0); the default is 1920x1080@30.
std::optional<SizeAtFps> parse_test_url(std::string_view url);

// The test card as an endless video: frame n, from 1, is at (n − 1) / fps.
class TestSource : public Source {
 public:
  explicit TestSource(const SizeAtFps& picture);

  const SourceInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;

 private:
  const Size size_;
  const double fps_;
  Recycler<TestCard> cards_;
  SourceInfo info_;
  uint64_t frame_ = 0;  // the last frame painted
};

}  // namespace sail
