#include <algorithm>
#include <atomic>
#include <cmath>

#include "codecs/picture/block_encoder.h"
#include "tests/bench/codec/j2k_candidates.h"

namespace bench {

J2kFrame::J2kFrame(sail::Size frame, sail::Size block, MakeJ2kCoder make)
    : frame_(frame), make_(std::move(make)) {
  for (int y = 0; y < frame.height; y += block.height) {
    for (int x = 0; x < frame.width; x += block.width) {
      blocks_.push_back(
          {x, y, std::min(block.width, frame.width - x), std::min(block.height, frame.height - y)});
    }
  }
  lengths_.resize(blocks_.size());
  for (const J2kBlock& b : blocks_) {
    bytes_.emplace_back(codecs::max_block_bytes(codecs::CodecId::kJ2k, b.width, b.height));
  }
}

template <class Visit>
void J2kFrame::for_each_block(sail::WorkerPool* pool, Visit visit) {
  const size_t threads = pool == nullptr ? 1 : static_cast<size_t>(pool->threads()) + 1;
  while (coders_.size() < threads) coders_.push_back(make_());
  std::atomic<size_t> next{0};
  const auto work = [&](size_t thread) {
    for (size_t i = next++; i < blocks_.size(); i = next++) visit(*coders_[thread], i);
  };
  if (pool == nullptr) return work(0);
  pool->for_each(threads, work);
}

void J2kFrame::encode(sail::WorkerPool* pool) {
  for_each_block(pool, [this](J2kCoder& coder, size_t i) {
    lengths_[i] = coder.encode(blocks_[i], step_, bytes_[i]);
  });
}

bool J2kFrame::decode(sail::WorkerPool* pool) {
  std::atomic<bool> all{true};
  for_each_block(pool, [&](J2kCoder& coder, size_t i) {
    if (!coder.decode(std::span(bytes_[i]).first(lengths_[i]), blocks_[i])) all = false;
  });
  return all;
}

void J2kFrame::set_rate(double bits_per_pixel_wanted, sail::WorkerPool& pool) {
  if (bits_per_pixel_wanted == kJ2kLossless) {
    step_ = kLosslessStep;
    return encode(&pool);
  }
  constexpr int kSteps = 10;
  float fine = 1.0F / 8192, coarse = 1.0F / 4;
  for (int i = 0; i < kSteps; ++i) {
    step_ = std::sqrt(fine * coarse);
    encode(&pool);
    (bits_per_pixel() > bits_per_pixel_wanted ? fine : coarse) = step_;
  }
}

void J2kFrame::take_bytes(const J2kFrame& other) {
  bytes_ = other.bytes_;
  lengths_ = other.lengths_;
}

double J2kFrame::bits_per_pixel() const {
  double bytes = 0;
  for (const size_t length : lengths_) bytes += static_cast<double>(length);
  return bytes * 8 / (static_cast<double>(frame_.width) * frame_.height);
}

}  // namespace bench
