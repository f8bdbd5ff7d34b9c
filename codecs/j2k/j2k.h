// JPEG 2000: a picture, usually one pixel block, as a codestream of its own. kJ2k is Part 1
// (ISO/IEC 15444-1) by OpenJPEG, kHtj2k is Part 15 (high throughput, ISO/IEC 15444-15) by this
// project's own code. Decoders accept both parts.
//
// RGB formats use the standard's colour transform; YUV is coded unchanged, with chroma subsampled
// as in the picture. The codestream does not tell which: PictureColor is transmitted separately.
// Packets are ordered by resolution, each resolution in its own tile-part, so a prefix of the
// codestream is sufficient for a smaller picture.
//
// One thread at a time per object. Throws no exceptions; the library's messages are discarded.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"
#include "codecs/color/color_transform.h"
#include "codecs/color/scaling.h"

namespace codecs {

struct J2kQuality {
  bool lossless = false;
  // Lossy: quantiser step, as a fraction of the samples' range. kJ2k is coded to the distortion of
  // a uniform quantiser with that step.
  float step = 1.0F / 256;
};

// [r]: length of the prefix that a decoder needs for the picture halved r times; [0]: all.
using PrefixBytes = std::array<uint32_t, kMaxReduction + 1>;

class J2kEncoder {
 public:
  virtual ~J2kEncoder() = default;

  // Encodes the rectangle at (x, y), which lies within the frame; x and y are multiples of 2 for
  // subsampled formats. Empty if `out` is too small or the library fails.
  virtual std::optional<PrefixBytes> encode(const ImageView& frame, int x, int y, int width,
                                            int height, const J2kQuality& quality,
                                            std::span<uint8_t> out) = 0;
};
std::unique_ptr<J2kEncoder> make_j2k_encoder(CodecId codec);

// Columns x0 … x1 − 1 and rows y0 … y1 − 1.
struct Area {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
  bool is_empty() const { return x1 <= x0 || y1 <= y0; }
  bool operator==(const Area&) const = default;
};
constexpr Area common_area(const Area& one, const Area& other) {
  return {std::max(one.x0, other.x0), std::max(one.y0, other.y0), std::min(one.x1, other.x1),
          std::min(one.y1, other.y1)};
}

// The requested output of a decoder.
struct J2kTarget {
  int width = 0;  // full picture size; codestreams of other sizes are rejected
  int height = 0;
  int reduction = 0;  // 0 … kMaxReduction; writes reduced_side() of both sides
  PictureColor color;
  DisplayColor display{};  // for X'Y'Z'
  // Position of the reduced picture in its frame: dithering (of deep samples) depends on it.
  int frame_x = 0;
  int frame_y = 0;
  // The wanted part of the reduced picture; empty: all. Pixels equal those of a full decode; for
  // high throughput only the needed code-blocks are decoded.
  Area part{};
  BgraTarget pixels{};  // starts at the part's first pixel
  // Alternative output if j2k_format() names a planar format: the reduced picture as packed_view(),
  // for the caller to convert. Only the part is written, extended to even positions. A failed
  // decode may have written some of it.
  uint8_t* planes = nullptr;
};

class J2kDecoder {
 public:
  virtual ~J2kDecoder() = default;

  // The codestream may be a prefix that PrefixBytes gives for that reduction or a lower one. False
  // if it is invalid or exceeds the limits of J2kHeader; then no pixel has been written. Memory is
  // bounded by the size of the wanted picture, whatever the input.
  virtual bool decode(std::span<const uint8_t> codestream, const J2kTarget& target) = 0;
};
std::unique_ptr<J2kDecoder> make_j2k_decoder(CodecId codec);

// The relevant parts of the main header.
struct J2kHeader {
  int width = 0;
  int height = 0;
  int left = 0;  // column of the first pixel on the reference grid (image offset)
  int top = 0;
  int components = 0;     // 1 … kMostJ2kComponents
  int bits = 0;           // per sample, 8 … 16, equal for all shown components
  int chroma_step_x = 1;  // 2: the second and third component are subsampled
  int chroma_step_y = 1;
  bool is_signed = false;  // the first component
  int levels = 0;          // the maximum of halvings
  bool high_throughput = false;
  bool reversible = false;
  bool color_transform = false;  // the components are RGB, transformed

  // Grey, or three colours; the other components are ignored. Half the range is added to signed
  // samples, which makes them unsigned.
  int shown_components() const { return components >= 3 ? 3 : 1; }
};
// Empty if the bytes do not begin a supported codestream. Not supported: other component shapes,
// more than kMaxJ2kTiles J2K tiles, an excessive number of packets, extensions of Part 2; and, for
// high throughput, code-blocks of both parts, different wavelets in one J2K tile, or regions of
// interest.
std::optional<J2kHeader> read_j2k_header(std::span<const uint8_t> codestream);
// True if the bytes begin a codestream that needs a decoder of Part 15, supported or not.
bool needs_part_15(std::span<const uint8_t> codestream);
// True if a codestream with a header has all its tile-parts, as their lengths and EOC show. Does
// not read packets.
bool is_j2k_whole(std::span<const uint8_t> codestream);
// True if tile-parts of a codestream with a header are missing or cut off, whatever follows its
// end. False if there is no header.
bool is_j2k_truncated(std::span<const uint8_t> codestream);
// The reason, as a phrase that follows "a codestream that …"; empty if there is a header.
std::string j2k_fault(std::span<const uint8_t> codestream);
// The reason why a decoder rejected the codestream, in the same form.
std::string j2k_fault(std::span<const uint8_t> codestream, const J2kTarget& target);
// The output format: kI420 or kI422 if the codestream is that in eight bits, without an image
// offset, which may divide pairs of pixels; else kBgra.
PixelFormat j2k_format(const J2kHeader& header, ColorMatrix matrix);
constexpr int kMaxJ2kTiles = 1024;
constexpr int kMaxJ2kSide = 16384;
constexpr int kMostJ2kComponents = 16;

// Determines the prefixes from the lengths of the tile-parts. All entries are codestream.size() if
// the tile-parts do not follow the resolutions.
PrefixBytes j2k_prefix_bytes(std::span<const uint8_t> codestream);

// The coders used by make_j2k_encoder() and make_j2k_decoder(). Internal to codecs/.

struct KernelSet;

// Part 1, by OpenJPEG.
std::unique_ptr<J2kEncoder> make_openjpeg_encoder();
std::unique_ptr<J2kDecoder> make_openjpeg_decoder();
// Part 15, by this project's own code.
std::unique_ptr<J2kEncoder> make_htj2k_encoder(CpuLevel cpu);
std::unique_ptr<J2kDecoder> make_htj2k_decoder(CpuLevel cpu);
// With kernels other than the level's for transforms and blocks; they must outlive the coders.
std::unique_ptr<J2kEncoder> make_htj2k_encoder(CpuLevel cpu, const KernelSet& kernels);
std::unique_ptr<J2kDecoder> make_htj2k_decoder(CpuLevel cpu, const KernelSet& kernels);

// Levels of the wavelet transform at any size: every block can be halved kMaxReduction times.
constexpr int kJ2kLevels = 5;
constexpr int kJ2kCodeBlockSide = 64;

}  // namespace codecs
