// JPEG 2000 among the candidates: ours in blocks, the libraries alone on the same blocks and on the
// whole frame, at kJ2kBitsPerPixel, of high throughput at other rates, too.
#pragma once

#include <memory>
#include <vector>

#include "tests/bench/codec/j2k_coder.h"
#include "tests/bench/codec/scene.h"

namespace bench {

constexpr double kJ2kBitsPerPixel = 2;
constexpr double kJ2kLossless = 0;  // in the place of bits a pixel

void add_j2k(Scene& scene, codecs::CodecId codec, const std::vector<double>& rates,
             std::vector<Candidate>& candidates);

// A frame cut into blocks, and how one coder codes it on the threads of a pool. Holds what its
// candidates work on.
class J2kFrame {
 public:
  J2kFrame(sail::Size frame, sail::Size block, MakeJ2kCoder make);

  void encode(sail::WorkerPool* pool);
  bool decode(sail::WorkerPool* pool);
  // By the step at which `encode` writes so many bits a pixel, found by halving; or without loss.
  void set_rate(double bits_per_pixel, sail::WorkerPool& pool);
  // Takes what another has encoded.
  void take_bytes(const J2kFrame& other);
  void set_step(float step) { step_ = step; }

  double bits_per_pixel() const;
  float step() const { return step_; }

 private:
  template <class Visit>
  void for_each_block(sail::WorkerPool* pool, Visit visit);

  sail::Size frame_;
  std::vector<J2kBlock> blocks_;
  std::vector<std::vector<uint8_t>> bytes_;  // room for the longest of each
  std::vector<size_t> lengths_;
  MakeJ2kCoder make_;
  std::vector<std::unique_ptr<J2kCoder>> coders_;  // one a thread
  float step_ = 1.0F / 128;
};

}  // namespace bench
