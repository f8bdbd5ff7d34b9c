// A test picture for people and machines, BGRA. For people: colour bars, grey steps, a grid, fine
// detail that pans, the frame number and the size in large letters. For machines: a patch in each
// 64×64 cell that carries the frame number and the cell (test_card_reader.h), so that a test can
// tell which frame and which pixel a tile shows. Single-threaded; pure.
//
// A patch is 6×4 squares of 8×8 pixels, each of one of the eight colours whose channels are 0 or
// 255: they are flat texel blocks, and DXT1 keeps them exactly. The squares, row by row, carry 3
// bits each (R, G, B from the high bit), most significant first: frame number (24), cell column
// (8), cell row (8), check (32: CRC-32 of the five bytes before), all of it XORed with kPatchMask
// so that small numbers have as many edges as large ones.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "codecs/image.h"
#include "sail/base/geometry.h"

namespace sail {

constexpr int kCardCell = 64;     // pixels
constexpr int kPatchInset = 8;    // from the cell's left and top edges
constexpr int kPatchSquare = 8;   // pixels
constexpr int kPatchColumns = 6;  // squares
constexpr int kPatchRows = 4;     // squares
constexpr int kPatchWidth = kPatchColumns * kPatchSquare;
constexpr int kPatchHeight = kPatchRows * kPatchSquare;
constexpr uint32_t kMaxCardFrame = (1U << 24U) - 1;

struct PatchContent {
  uint32_t frame = 0;  // modulo 2^24
  int column = 0;      // of cells
  int row = 0;

  bool operator==(const PatchContent&) const = default;
};

// The colours of the squares, row by row: bit 2 red, bit 1 green, bit 0 blue.
using PatchSquares = std::array<uint8_t, kPatchColumns * kPatchRows>;
PatchSquares encode_patch(const PatchContent& content);
// False when the check does not hold.
bool decode_patch(const PatchSquares& squares, PatchContent& content);

class TestCard {
 public:
  // Sides from 1 to kMaxFrameSide.
  TestCard(Size size, double fps);

  Size size() const { return size_; }
  // Paints what differs between frames; the picture stands until the next call. Frame numbers above
  // kMaxCardFrame wrap in the patches.
  codecs::ImageView paint(uint64_t frame);

  // Cells that carry a patch: those wholly in the picture (up to 256 × 256) and not under the large
  // letters, which only pictures of at least 960×540 have.
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
  Rect label_;        // the box of the large letters, whole cells; empty when there is none
  int band_top_ = 0;  // rows of the panning detail
  int band_height_ = 0;
  std::vector<uint8_t> pixels_;
  std::vector<uint8_t> strip_;  // the band's detail, kBandPeriod pixels wider than the picture
};

}  // namespace sail
