// Controls the size of a stream's JPEG 2000 frames by the quantizer step. The size of a block is
// predicted from its last encoding. A frame's step is chosen so that the predicted sizes meet the
// frame's share of the rate. If the prediction is wrong (scene cut), the remaining blocks get a
// coarser step, and finally blocks are encoded again. No frame exceeds kMostOfShare times its
// share. Surplus and deficit are carried over to the next frames. Pure: time is an argument.
//
// One thread calls begin_frame(), learn() and end_frame(). Between these, any thread may call
// step_for() and done().
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/wire/data/codec_name.h"

namespace sail {

class RateControl {
 public:
  static constexpr double kMostOfShare = 1.2;

  struct Block {
    size_t index = 0;  // in the frame
    double share = 0;  // share of the frame's pixels
  };

  // rate: not kLossless. fps: frame rate for rates per second; 0: the frame rate is measured, and
  // at least 30. blocks: number of blocks per frame.
  RateControl(const CodecRate& rate, Size frame_size, double fps, size_t blocks);

  // Starts a frame. Only `blocks` are encoded; they share the rate by area. bits: per sample.
  void begin_frame(std::span<const Block> blocks, int bits, int64_t now_ns);
  void end_frame();

  // Returns true if there is no data yet to predict sizes from: call learn() for some blocks first.
  bool ignorant() const { return known_share_ == 0; }
  // Initial guess for the step.
  float first_step() const;
  void learn(const Block& block, float step, size_t bytes);
  // Returns the frame's step. Call after learn().
  float choose_step(std::span<const Block> blocks);

  // Returns the step with which to encode the block.
  float step_for(const Block& block);
  // Reports the encoded size. If a step is returned, encode the block again with it.
  std::optional<float> done(const Block& block, float step, size_t bytes);

 private:
  double frame_bytes() const;
  // Predicted bytes at step 1.
  double weight(const Block& block) const;
  double clamp_step(double step) const;
  void remember(const Block& block, double step, size_t bytes);
  double reserve(double share) const;

  const CodecRate rate_;
  const double pixels_;
  const double given_fps_;
  double interval_s_;
  int64_t last_ns_ = 0;
  double min_step_;

  struct Past {
    double weight = 0;
    double share = 0;  // 0: not encoded yet
  };
  std::vector<Past> past_;
  double known_weight_ = 0;  // sum over all blocks encoded so far
  double known_share_ = 0;
  double debt_ = 0;  // bytes by which past frames exceeded their share

  // The current frame.
  double nominal_ = 0;  // bytes by its share of the rate
  double budget_ = 0;   // bytes it may actually use
  double step_;
  // Protects the following members. Held for a few additions between milliseconds of encoding.
  std::mutex mutex_;
  double spent_ = 0;
  double spent_foretold_ = 0;
  double under_way_ = 0;   // predicted, for blocks being encoded
  double left_ = 0;        // predicted with step_, for blocks not started
  double open_share_ = 0;  // share of the frame's pixels of these blocks
  double total_share_ = 0;
};

}  // namespace sail
