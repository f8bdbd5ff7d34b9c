// JPEG 2000 block coders to measure: ours, and the libraries alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/j2k/j2k.h"
#include "tests/bench/codec/candidate.h"
#include "tests/bench/codec/picture.h"

namespace bench {

// A block of a frame, or the whole frame.
struct J2kBlock {
  int x, y, width, height;
};

// A frame in the libraries' format: 32-bit samples, plane by plane.
struct J2kSamples {
  explicit J2kSamples(const codecs::ImageView& frame);

  const int32_t* row(int component, const J2kBlock& block, int y) const;
  int width(int component, const J2kBlock& block) const;
  int height(int component, const J2kBlock& block) const;

  bool is_rgb;
  int step_x, step_y;  // chroma subsampling
  int widths[3];
  std::vector<int32_t> planes[3];
};

constexpr float kLosslessStep = 0;

// Single-threaded.
class J2kCoder {
 public:
  virtual ~J2kCoder() = default;
  // Returns the number of bytes written; 0: failed. kLosslessStep is for high throughput only.
  virtual size_t encode(const J2kBlock& block, float step, std::span<uint8_t> out) = 0;
  // Decodes to the block's place in the picture. The libraries alone write nothing: their output is
  // dropped.
  virtual bool decode(std::span<const uint8_t> bytes, const J2kBlock& block) = 0;
};
using MakeJ2kCoder = std::function<std::unique_ptr<J2kCoder>()>;

// The decoded part of a block.
enum class J2kShown { kAll, kHalved, kQuarter };  // kQuarter: the top left quarter

// The frame, samples and pixels must outlive the coders.
MakeJ2kCoder our_j2k_coder(codecs::CodecId codec, codecs::CpuLevel cpu,
                           const codecs::ImageView& frame, uint8_t* bgra,
                           J2kShown shown = J2kShown::kAll);
MakeJ2kCoder openjph_alone(const J2kSamples& samples);
MakeJ2kCoder newer_openjph_alone(const J2kSamples& samples);  // if NEWER_OPENJPH names one
MakeJ2kCoder openjpeg_alone(const J2kSamples& samples);

// FFmpeg's JPEG 2000 (Part 1), as a coder of whole frames (peer_jpeg2000.cpp).

// The frame must outlive the coders. RGB formats and I420.
MakeJ2kCoder ffmpeg_jpeg2000(const codecs::ImageView& frame);

}  // namespace bench
