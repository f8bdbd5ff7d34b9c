// A compressed frame in memory: its pixel blocks, row by row. Rows without new blocks are shared
// with the previous frame, so that every frame is complete even if the sender left out unchanged
// blocks.
//
// Buffers are allocated once. Pages that no block ever reaches take no memory: a receiver that
// shows a corner of a large frame stores only that corner. A frame is owned by one thread at a
// time. A complete frame is immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "codecs/color/color_transform.h"
#include "receiver/frame/decoded_blocks.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wall/block_rows.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/data/data_messages.h"

namespace receiver {

// Identifies a frame of a stream; ordered by presentation. A frame resent for a new layout keeps
// its number. If a layout is abandoned, so is its epoch: later frames may have the previous epoch.
struct FrameKey {
  uint64_t epoch = 0;
  uint64_t number = 0;

  bool operator==(const FrameKey&) const = default;
  auto operator<=>(const FrameKey& other) const {
    return std::pair(number, epoch) <=> std::pair(other.number, other.epoch);
  }
};

// Properties that all frames of a data connection share.
struct FrameSource {
  uint32_t stream = 0;
  uint64_t session = 0;  // id of the data connection
  sail::StreamCodec codec;
  sail::BlockGrid grid;  // grid of unreduced frames
};

class Frame {
 public:
  // `rows` provides the row buffers for this frame and others of the connection. `decoded` must be
  // set for codecs that need decoding, and null for others.
  Frame(const FrameSource& source, std::shared_ptr<sail::BlockRowPools> rows,
        std::shared_ptr<DecodedBlocks> decoded = nullptr);

  // Returns the most bytes that the compressed blocks of a frame can take.
  static size_t memory(const sail::BlockGrid& grid, codecs::CodecId codec);

  // Starts a new frame without blocks. clear() must have been called after the last use.
  void begin(const FrameKey& key, int reduction, codecs::PictureColor color = {});
  // Releases all blocks.
  void clear();

  // An empty reference: no block of the row is here.
  const sail::BlockRowRef& row(int row) const { return blocks_[static_cast<size_t>(row)]; }
  void set_row(int row, sail::BlockRowRef blocks) {
    blocks_[static_cast<size_t>(row)] = std::move(blocks);
  }
  // Returns the row for writing; a row that is not set yet comes from the pool, empty and unshared.
  sail::BlockRow& fresh_row(int row);

  // Removes the block from this frame. Other frames that share its row keep the block.
  void hide(int column, int row_number);
  bool hides_any() const { return !hidden_.empty(); }

  bool has(int column, int row_number) const {
    return row(row_number) && row(row_number)->has(column) && !is_hidden(column, row_number);
  }
  // Returns the number of the frame that brought the block. The block is unchanged while its
  // version is the same. 0: the block is not here.
  uint64_t version(int column, int row_number) const {
    if (!row(row_number) || is_hidden(column, row_number)) return 0;
    return row(row_number)->version(column);
  }
  // Returns the compressed block as received.
  std::span<const uint8_t> block(int column, int row_number) const {
    return row(row_number)->block(column);
  }

  // Returns the block as needed for painting, with the size that it has in grid(): texel blocks for
  // DXT, the pixels of picture() for all other codecs. Codecs that need decoding have it only after
  // decoding. Null: the block is not here, or could never be decoded.
  const uint8_t* plain(int column, int row_number) const {
    if (!decoded_) return has(column, row_number) ? block(column, row_number).data() : nullptr;
    const PlainBlockRef& plain = plain_[index(column, row_number)];
    return plain && !is_hidden(column, row_number) ? plain->data() : nullptr;
  }
  void set_plain(int column, int row_number, const PlainBlockRef& plain) {
    plain_[index(column, row_number)] = plain;
  }
  // Returns plain() as a picture; for codecs other than DXT.
  codecs::ImageView picture(int column, int row) const;
  // Returns the area of plain() that is valid, in frame pixels.
  sail::Rect plain_part(int column, int row_number) const {
    if (!decoded_) return grid_.block_rect(column, row_number);
    return plain_[index(column, row_number)]->part;
  }
  // Returns the decoded block of a frame that needs decoding; null like plain().
  PlainBlock* plain_block(int column, int row_number) const {
    return plain_[index(column, row_number)].get();
  }
  DecodedBlocks& decoded_blocks() const { return *decoded_; }
  const std::shared_ptr<DecodedBlocks>& shared_blocks() const { return decoded_; }
  // Returns the index of a block, row by row.
  size_t index(int column, int row_number) const {
    return static_cast<size_t>(row_number) * static_cast<size_t>(grid_.columns()) +
           static_cast<size_t>(column);
  }

  uint32_t stream() const { return source_.stream; }
  // Returns the data connection that delivered the frame.
  uint64_t session() const { return source_.session; }
  const sail::StreamCodec& codec() const { return source_.codec; }
  // Returns how often the picture was halved, before it was split into blocks or within each block.
  int reduction() const { return reduction_; }
  const sail::BlockGrid& grid() const { return grid_; }
  // Returns the grid of the unreduced frame.
  const sail::BlockGrid& full_grid() const { return source_.grid; }
  // Returns the colour space of the components; RGB unless the codec leaves it to the frame.
  codecs::PictureColor color() const { return color_; }
  // The colours of the displays, to which X'Y'Z' is converted.
  const codecs::DisplayColor& display() const { return display_; }
  void set_display(const codecs::DisplayColor& display) { display_ = display; }
  const FrameKey& key() const { return key_; }
  // Area worth decoding, in frame pixels; initially the whole frame.
  const sail::Rect& wanted() const { return wanted_; }
  void set_wanted(const sail::Rect& part) { wanted_ = part; }
  sail::Rect all() const { return {0, 0, grid_.frame_size().width, grid_.frame_size().height}; }
  // Wall time before which the frame must not become ready; 0: no delay. delay_ns() is the time
  // from submission until then.
  int64_t ready_at_ns() const { return delay_ns_ == 0 ? 0 : submitted_ns_ + delay_ns_; }
  int64_t delay_ns() const { return delay_ns_; }
  // Wall time at which the application submitted the frame.
  int64_t submitted_ns() const { return submitted_ns_; }
  void set_delay(int64_t submitted_ns, uint32_t delay_us) {
    submitted_ns_ = submitted_ns;
    delay_ns_ = int64_t{delay_us} * 1000;
  }
  // Steady time at which the first message of the frame arrived.
  int64_t begun_ns() const { return begun_ns_; }
  void set_begun_ns(int64_t begun_ns) { begun_ns_ = begun_ns; }
  // Steady time at which the last block arrived.
  int64_t assembled_ns() const { return assembled_ns_; }
  void set_assembled_ns(int64_t assembled_ns) { assembled_ns_ = assembled_ns; }

 private:
  bool is_hidden(int column, int row_number) const {
    return !hidden_.empty() && hidden_[index(column, row_number)];
  }

  FrameSource source_;
  sail::BlockGrid grid_;
  int reduction_ = 0;
  codecs::PictureColor color_;
  codecs::DisplayColor display_;
  sail::Rect wanted_;
  FrameKey key_;
  int64_t submitted_ns_ = 0;
  int64_t delay_ns_ = 0;
  int64_t begun_ns_ = 0;
  int64_t assembled_ns_ = 0;
  std::shared_ptr<sail::BlockRowPools> rows_;
  std::shared_ptr<DecodedBlocks> decoded_;
  // Declared after the pools, which must outlive the references.
  std::vector<sail::BlockRowRef> blocks_;
  std::vector<PlainBlockRef> plain_;  // row by row; only for codecs that need decoding
  std::vector<bool> hidden_;          // row by row; empty: no block is hidden
};

// The outcome of a frame, to report to its sender. Times are steady.
struct EndedFrame {
  uint32_t stream = 0;
  uint64_t session = 0;
  FrameKey key;
  int64_t assembled_ns = 0;
  int64_t swapped_ns = 0;  // 0: dropped
  sail::DropCause cause{};
};

// A set of blocks of a window's frames. Pure.
class BlockSet {
 public:
  void clear() { blocks_.clear(); }
  // Adds all blocks of a frame with this grid.
  void fill(const sail::BlockGrid& grid);
  // Adds the blocks of `next` that differ from `before`, the frame that `next` replaces; adds all
  // if `before` is null or has another grid, codec or connection.
  void add_changed(const Frame* before, const Frame& next);
  // Removes the blocks that intersect this rectangle of the frame.
  void remove(const sail::Rect& source_rect);

  bool any() const;
  // Returns true if a block of the set intersects this rectangle of the frame.
  bool touch(const sail::Rect& source_rect) const;

 private:
  sail::BlockGrid grid_;
  std::vector<bool> blocks_;  // one flag per block, row by row; an empty vector is the empty set
};

// The lanes of a receiver's FrameTrace, one per thread.
constexpr uint32_t kLoopLane = 0;
constexpr uint32_t kDecodeLane = 1;
constexpr uint32_t kMainLane = 2;
constexpr size_t kTraceLanes = 3;

}  // namespace receiver
