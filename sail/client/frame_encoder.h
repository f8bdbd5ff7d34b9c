// Makes a stream's encoded frames: compresses what is wanted and has changed, and takes the rest
// from the frame before. Work is shared by the calling thread and the workers, a block row at a
// time, or a block at a time where blocks are large and take long: JPEG 2000.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "codecs/block_encoder.h"
#include "codecs/image.h"
#include "sail/base/frame_trace.h"
#include "sail/base/wall_clock.h"
#include "sail/base/worker_pool.h"
#include "sail/client/block_changes.h"
#include "sail/client/encoded_frame.h"
#include "sail/client/rate_control.h"
#include "sail/wire/codec_name.h"

namespace sail {

// The lanes of a stream's FrameTrace: the submitting thread's, the loop's, and the encoder's.
constexpr uint32_t kSubmitLane = 0;
constexpr uint32_t kLoopLane = 1;
constexpr uint32_t kFirstEncodeLane = 2;

// Blocks that the application compressed itself: in rows, from left to right.
struct EncodedBlocks {
  std::span<const uint8_t> bytes;
  std::span<const uint32_t> lengths;
  codecs::PictureColor color{};  // of JPEG 2000
};

class FrameEncoder {
 public:
  // workers, clock and trace outlive this. grid: of frames that are not reduced. fps: nominal, 0:
  // unknown.
  FrameEncoder(const CodecSpec& codec, const BlockGrid& grid, double fps, WorkerPool& workers,
               const WallClock& clock, FrameTrace& trace);

  // First, and before other threads see the frame: what it may have in common with the one before.
  void begin(const FrameRef& frame);
  // Fills the frame; on_row after each of its rows. One thread at a time. The image
  // has the stream's size, which is the frame's but for its reduction.
  void encode(const codecs::ImageView& image, const FrameRef& frame, BlockRowPools& rows,
              const std::function<void()>& on_row);
  // The same with blocks that fit the frame's grid; see fits().
  void take_over(const EncodedBlocks& blocks, const FrameRef& frame, BlockRowPools& rows,
                 const std::function<void()>& on_row);

  // Whether there is a block for each of the grid's, each of a length that the codec can have.
  bool fits(const EncodedBlocks& blocks, const BlockGrid& grid) const;

 private:
  // What one thread needs at a time.
  struct Lane {
    codecs::BlockEncoder encoder;
    std::vector<BlockChanges::Look> looks;
    std::vector<uint8_t> codestream;
    std::vector<uint8_t*> places;  // of blocks side by side
  };
  // A row of the frame being made, and that of the frame before.
  struct Row {
    const EncodedFrame& frame;
    int number;
    BlockRowPools& pools;
    const BlockRowRef& before;
    BlockRowRef made;  // empty as long as nothing differs from `before`

    bool had(int column) const { return before && before->has(column); }
    void keep(int column);
    BlockRow& change(int column);
  };

  template <class FillRow>
  void fill(const FrameRef& frame, BlockRowPools& rows, const std::function<void()>& on_row,
            const FillRow& fill_row);
  // The blocks of the row that are to be covered, and whether they are as before.
  void look_at_row(const codecs::ImageView& image, const EncodedFrame& frame, int number,
                   Lane& lane);
  void encode_row(const codecs::ImageView& image, Row& row, Lane& lane);
  // `count` blocks side by side.
  void encode_run(const codecs::ImageView& image, Row& row, Lane& lane, int first, int count);
  void encode_together(const codecs::ImageView& image, Row& row, Lane& lane, int first, int count);

  // Block by block.
  struct CodedRow {
    BlockRowRef made;         // empty: nothing differs from the frame before
    std::vector<bool> coded;  // columns
    size_t left = 0;          // of them
    std::mutex mutex;         // of `made` and `left`; held to copy a block's bytes
  };
  struct CodedBlock {
    int row = 0;
    int column = 0;
    RateControl::Block rate;
  };
  void encode_blocks(const codecs::ImageView& image, const FrameRef& frame, BlockRowPools& rows,
                     const std::function<void()>& on_row);
  void find_changed(const codecs::ImageView& image, const FrameRef& frame, BlockRowPools& rows);
  void learn_rate(const codecs::ImageView& image, const EncodedFrame& frame);
  void encode_block(const codecs::ImageView& image, const FrameRef& frame, const CodedBlock& block,
                    Lane& lane, const std::function<void()>& on_row);
  // Into lane.codestream.
  codecs::PrefixBytes encode_codestream(const codecs::ImageView& image, const EncodedFrame& frame,
                                        const CodedBlock& block, float step, Lane& lane);
  codecs::PrefixBytes encode_at_rate(const codecs::ImageView& image, const EncodedFrame& frame,
                                     const CodedBlock& block, Lane& lane);
  void finish_row(const FrameRef& frame, int number);
  codecs::PrefixBytes lengths_of(std::span<const uint8_t> block) const;
  // The lane has worked on the frame since then.
  void note_lane(size_t lane, const EncodedFrame& frame, int64_t begun_ns);

  const CodecSpec codec_;
  const double pixels_;  // of a frame
  std::optional<RateControl> rate_;
  std::vector<CodedRow> coded_rows_;
  std::vector<CodedBlock> coded_blocks_;
  std::vector<RateControl::Block> rated_blocks_;
  WorkerPool& workers_;
  const WallClock& clock_;
  FrameTrace& trace_;
  std::vector<Lane> lanes_;
  FrameRef before_;  // the newest frame, when the one to come has the same grid
  BlockChanges changes_;
  uint64_t frames_ = 0;
};

}  // namespace sail
