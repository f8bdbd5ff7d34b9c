// JPEG 2000 candidates: our coders on blocks, and the libraries alone on the same blocks and on the
// whole frame, at kJ2kBitsPerPixel; high throughput also at other rates.
#pragma once

#include <memory>
#include <vector>

#include "tests/bench/codec/j2k_coder.h"
#include "tests/bench/codec/scene.h"

namespace bench {

constexpr double kJ2kBitsPerPixel = 2;
constexpr double kJ2kLossless = 0;  // in place of bits a pixel

void add_j2k(Scene& scene, codecs::CodecId codec, const std::vector<double>& rates,
             std::vector<Candidate>& candidates);

// A frame divided into blocks, coded by one coder on the threads of a pool. Owns the data of its
// candidates.
class J2kFrame {
 public:
  J2kFrame(sail::Size frame, sail::Size block, MakeJ2kCoder make);

  void encode(sail::WorkerPool* pool);
  bool decode(sail::WorkerPool* pool);
  // Finds the step at which `encode` writes this many bits a pixel, by bisection; or selects
  // lossless coding.
  void set_rate(double bits_per_pixel, sail::WorkerPool& pool);
  // Copies the bytes that another frame has encoded.
  void take_bytes(const J2kFrame& other);
  void set_step(float step) { step_ = step; }

  double bits_per_pixel() const;
  float step() const { return step_; }

 private:
  template <class Visit>
  void for_each_block(sail::WorkerPool* pool, Visit visit);

  sail::Size frame_;
  std::vector<J2kBlock> blocks_;
  std::vector<std::vector<uint8_t>> bytes_;  // with room for the maximum of each
  std::vector<size_t> lengths_;
  MakeJ2kCoder make_;
  std::vector<std::unique_ptr<J2kCoder>> coders_;  // one for each thread
  float step_ = 1.0F / 128;
};

}  // namespace bench
