// Holds the bytes of a stream's JPEG 2000 frames to a rate, by the quantiser's step. What a block
// will take is foretold from what it took when it was coded last; a frame's step is the one with
// which the blocks together should take their share of the rate. Where that is wrong (a scene cut)
// the blocks that are left get a coarser step, and at last a block is coded again: no frame takes
// more than kMostOfShare times its share. What frames took too much or too little the next ones
// give back. Pure: time is an argument.
//
// begin_frame(), learn() and end_frame() by one thread; step_for() and done() by any in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wire/codec_name.h"

namespace sail {

class RateControl {
 public:
  static constexpr double kMostOfShare = 1.2;

  struct Block {
    size_t index = 0;  // in its frame
    double share = 0;  // of the frame's pixels
  };

  // rate: not kLossless. fps: of the frames to come, for rates by time; 0: measured, at least 30.
  // blocks: of a frame.
  RateControl(const CodecRate& rate, Size frame_size, double fps, size_t blocks);

  // A frame of which these blocks are coded: its share of the rate is theirs. bits: of a sample.
  void begin_frame(std::span<const Block> blocks, int bits, int64_t now_ns);
  void end_frame();

  // Nothing has been coded yet that would tell what blocks take: learn() of some of them first.
  bool ignorant() const { return known_share_ == 0; }
  // A step to begin with.
  float first_step() const;
  void learn(const Block& block, float step, size_t bytes);
  // After learn(): the frame's step.
  float choose_step(std::span<const Block> blocks);

  // With which step to code the block.
  float step_for(const Block& block);
  // It took that many bytes. A step: it is to be coded again, with that one.
  std::optional<float> done(const Block& block, float step, size_t bytes);

 private:
  double frame_bytes() const;
  // Bytes with a step of 1.
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
    double share = 0;  // 0: not coded yet
  };
  std::vector<Past> past_;
  double known_weight_ = 0;  // of all blocks coded yet
  double known_share_ = 0;
  double debt_ = 0;  // bytes that the frames so far took too much

  // The frame being coded.
  double nominal_ = 0;  // bytes that are its share of the rate
  double budget_ = 0;   // and those that it is to take
  double step_;
  std::mutex mutex_;  // of what follows; held for a few additions beside milliseconds of coding
  double spent_ = 0;
  double spent_foretold_ = 0;
  double under_way_ = 0;   // foretold of blocks that are being coded
  double left_ = 0;        // foretold, with step_, of blocks that are not begun
  double open_share_ = 0;  // of both
  double total_share_ = 0;
};

}  // namespace sail
