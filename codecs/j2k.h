// JPEG 2000: a picture, mostly one pixel block, as a codestream of its own. kJ2k is Part 1
// (ISO/IEC 15444-1) by OpenJPEG, kHtj2k Part 15 (high throughput, ISO/IEC 15444-15) by code of this
// project. Decoders take both parts.
//
// Components are coded as they come: RGB formats by the standard's own colour transform, YUV as it
// is, chroma subsampled as in the picture. A codestream does not say which: PictureColor goes
// beside it. Its packets are ordered by resolution, each resolution in a tile-part of its own, so
// that a prefix is what a smaller picture takes.
//
// One thread at a time per object. No exceptions come out; the library's words are kept in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "codecs/image.h"
#include "codecs/reduce.h"

namespace codecs {

struct J2kQuality {
  bool lossless = false;
  // Lossy: the quantiser's step, 1 being the samples' whole range. kJ2k is coded to the distortion
  // that a uniform quantiser of that step has.
  float step = 1.0F / 256;
};

// [r]: the bytes, from the first, that a decoder of the picture halved r times needs; [0]: all.
using PrefixBytes = std::array<uint32_t, kMaxReduction + 1>;

class J2kEncoder {
 public:
  virtual ~J2kEncoder() = default;

  // The rectangle at (x, y), which are multiples of 2 for subsampled formats, and lies within the
  // frame. Nothing when `out` is too small or the library fails.
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
};

// What is wanted of a codestream.
struct J2kTarget {
  int width =
      0;  // of the picture when it is not reduced; a codestream of another size is unreadable
  int height = 0;
  int reduction = 0;  // writes reduced_side() of them, 0 … kMaxReduction
  PictureColor color;
  // Where the picture's first pixel, reduced, is in its frame: dithering (of more than 8 bits)
  // goes on across blocks.
  int frame_x = 0;
  int frame_y = 0;
  // What is wanted of the reduced picture; empty: all of it. Its pixels are those that decoding all
  // gives there; of high throughput only the code-blocks that it takes are decoded.
  Area part{};
  BgraTarget pixels{};  // the first is the part's
  // Instead, where j2k_format() names one of planes: the reduced picture as packed_view() has it,
  // for the caller to convert. Of the part, from even places on. What is unreadable may have
  // written some of it.
  uint8_t* planes = nullptr;
};

class J2kDecoder {
 public:
  virtual ~J2kDecoder() = default;

  // The codestream may be a prefix that PrefixBytes names for that reduction or a lower one. False
  // when it is unreadable or beyond the limits of J2kHeader: then no pixel has been written. Memory
  // is bounded by the size of the picture that is wanted, whatever the bytes say.
  virtual bool decode(std::span<const uint8_t> codestream, const J2kTarget& target) = 0;
};
std::unique_ptr<J2kDecoder> make_j2k_decoder(CodecId codec);

// The main header, as far as it matters here.
struct J2kHeader {
  int width = 0;
  int height = 0;
  int components = 0;     // 1 (grey), 3, or 4, of which the last is left aside
  int bits = 0;           // of a sample, 8 … 16, the same for all
  int chroma_step_x = 1;  // 2: the second and third are subsampled
  int chroma_step_y = 1;
  int levels = 0;  // of the wavelet transform: it can be halved so often
  bool high_throughput = false;
  bool reversible = false;
  bool color_transform = false;  // the components are RGB, transformed
};
// Nothing when the bytes begin no codestream, or one that is not decoded here: other shapes of
// components, more than kMaxJ2kTiles J2K tiles, more packets than bytes could matter for; and, of
// high throughput, blocks of both parts, components with different wavelets in one J2K tile, or
// regions of interest.
std::optional<J2kHeader> read_j2k_header(std::span<const uint8_t> codestream);
// Then: what it does or is, behind "a codestream that …"; empty where there is a header.
std::string j2k_fault(std::span<const uint8_t> codestream);
// Why a decoder refused it, in the same words.
std::string j2k_fault(std::span<const uint8_t> codestream, const J2kTarget& target);
// What it can be decoded to: kI420 or kI422 where it is that, in eight bits; else kBgra alone.
PixelFormat j2k_format(const J2kHeader& header, ColorMatrix matrix);
constexpr int kMaxJ2kTiles = 1024;
constexpr int kMaxJ2kSide = 16384;

// By the lengths of its tile-parts. All entries are codestream.size() when they do not follow the
// resolutions.
PrefixBytes j2k_prefix_bytes(std::span<const uint8_t> codestream);

}  // namespace codecs
