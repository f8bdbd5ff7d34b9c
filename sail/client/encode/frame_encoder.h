// Encodes a stream's frames. Compresses the wanted blocks that changed and takes the others from
// the previous frame. The calling thread and the workers share the work, one block row at a time.
// JPEG 2000 blocks are large and slow, so they are shared block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "codecs/base/image.h"
#include "codecs/picture/block_encoder.h"
#include "sail/client/encode/block_changes.h"
#include "sail/client/encode/encoded_frame.h"
#include "sail/client/encode/rate_control.h"
#include "sail/core/base/frame_trace.h"
#include "sail/core/base/worker_pool.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/data/codec_name.h"

namespace sail {

// Lanes of a stream's FrameTrace: submitting thread, loop thread, then the encoder's threads.
constexpr uint32_t kSubmitLane = 0;
constexpr uint32_t kLoopLane = 1;
constexpr uint32_t kFirstEncodeLane = 2;

// Blocks that the application has compressed: row by row, each row from left to right.
struct EncodedBlocks {
  std::span<const uint8_t> bytes;
  std::span<const uint32_t> lengths;
  codecs::PictureColor color{};  // as in FrameBegin
};

class FrameEncoder {
 public:
  // workers, clock and trace must outlive this object. grid: grid of unreduced frames. fps: nominal
  // frame rate; 0 if unknown.
  FrameEncoder(const CodecSpec& codec, const BlockGrid& grid, double fps, WorkerPool& workers,
               const WallClock& clock, FrameTrace& trace);

  // Call first, before other threads see the frame. Sets what the frame may share with the previous
  // frame.
  void begin(const FrameRef& frame);
  // Fills the frame and calls on_row after each row. Called by one thread at a time. The image has
  // the stream's full size, even if the frame is reduced.
  void encode(const codecs::ImageView& image, const FrameRef& frame, BlockRowPools& rows,
              const std::function<void()>& on_row);
  // Fills the frame with blocks that are already encoded and fit the grid: see fits().
  void take_over(const EncodedBlocks& blocks, const FrameRef& frame, BlockRowPools& rows,
                 const std::function<void()>& on_row);

  // Returns true if there is a block for each grid position, with a length possible for the codec.
  bool fits(const EncodedBlocks& blocks, const BlockGrid& grid) const;

 private:
  // Working memory of one thread.
  struct Lane {
    codecs::BlockEncoder encoder;
    std::vector<BlockChanges::BlockCheck> looks;
    std::vector<uint8_t> codestream;
    std::vector<uint8_t*> places;  // destinations of adjacent blocks
  };
  // A row of the frame being encoded, and the same row of the previous frame.
  struct Row {
    const EncodedFrame& frame;
    int number;
    BlockRowPools& pools;
    const BlockRowRef& before;
    BlockRowRef made;  // empty while nothing differs from `before`

    bool had(int column) const { return before && before->has(column); }
    void keep(int column);
    BlockRow& change(int column);
  };

  template <class FillRow>
  void fill(const FrameRef& frame, BlockRowPools& rows, const std::function<void()>& on_row,
            const FillRow& fill_row);
  // Fills lane.looks with the covered blocks of the row and whether each is unchanged.
  void find_changes_in_row(const codecs::ImageView& image, const EncodedFrame& frame, int number,
                           Lane& lane);
  void encode_row(const codecs::ImageView& image, Row& row, Lane& lane);
  // Encodes `count` adjacent blocks.
  void encode_run(const codecs::ImageView& image, Row& row, Lane& lane, int first, int count);
  void encode_together(const codecs::ImageView& image, Row& row, Lane& lane, int first, int count);

  // State of the block-by-block path (JPEG 2000).
  struct CodedRow {
    BlockRowRef made;         // empty if nothing differs from the previous frame
    std::vector<bool> coded;  // columns to encode
    size_t left = 0;          // blocks not encoded yet
    // Protects `made` and `left`. Held while a block's bytes are copied.
    std::mutex mutex;
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
  // Encodes one block into lane.codestream.
  codecs::PrefixBytes encode_codestream(const codecs::ImageView& image, const EncodedFrame& frame,
                                        const CodedBlock& block, float step, Lane& lane);
  codecs::PrefixBytes encode_at_rate(const codecs::ImageView& image, const EncodedFrame& frame,
                                     const CodedBlock& block, Lane& lane);
  void finish_row(const FrameRef& frame, int number);
  codecs::PrefixBytes lengths_of(std::span<const uint8_t> block) const;
  // Adds a trace entry: the lane worked on the frame from begun_ns until now.
  void note_lane(size_t lane, const EncodedFrame& frame, int64_t begun_ns);

  const CodecSpec codec_;
  const double pixels_;  // pixels of one frame
  std::optional<RateControl> rate_;
  std::vector<CodedRow> coded_rows_;
  std::vector<CodedBlock> coded_blocks_;
  std::vector<RateControl::Block> rated_blocks_;
  WorkerPool& workers_;
  const WallClock& clock_;
  FrameTrace& trace_;
  std::vector<Lane> lanes_;
  FrameRef before_;  // the newest frame; empty if the next frame cannot share blocks with it
  BlockChanges changes_;
  uint64_t frames_ = 0;
};

}  // namespace sail
