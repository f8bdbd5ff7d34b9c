// A compressed frame in memory: its pixel blocks, row by row. Rows of which nothing new came are
// those of the frame before, so that every frame is complete whatever was left out on the way.
//
// Memory is taken once, and pages that no block ever reaches cost nothing: a receiver that shows a
// corner of a large frame holds that corner. Owned by one thread at a time; a whole frame does not
// change any more.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "receiver/decoded_blocks.h"
#include "sail/wall/block_grid.h"
#include "sail/wall/block_rows.h"
#include "sail/wire/codec_name.h"

namespace receiver {

// What tells frames of a stream apart, in the order in which they are shown: a frame that is sent
// again for a new layout keeps its number. A layout that is not to be after all takes its epoch
// with it: frames that come later may be of the one before.
struct FrameKey {
  uint64_t epoch = 0;
  uint64_t number = 0;

  bool operator==(const FrameKey&) const = default;
  auto operator<=>(const FrameKey& other) const {
    return std::pair(number, epoch) <=> std::pair(other.number, other.epoch);
  }
};

// What all frames of a data connection have in common.
struct FrameSource {
  uint32_t stream = 0;
  uint64_t session = 0;  // the data connection
  sail::StreamCodec codec;
  sail::BlockGrid grid;  // of frames that are not reduced
};

class Frame {
 public:
  // `rows` has room for the rows that this and the others like it refer to. Codecs that need
  // decoding take `decoded`, too; others none.
  Frame(const FrameSource& source, std::shared_ptr<sail::BlockRowPools> rows,
        std::shared_ptr<DecodedBlocks> decoded = nullptr);

  // Bytes that the blocks of a frame can come to take.
  static size_t memory(const sail::BlockGrid& grid, codecs::CodecId codec);

  // Without blocks: those of its last use have been cleared.
  void begin(const FrameKey& key, int reduction, codecs::PictureColor color = {});
  // Forgets its blocks.
  void clear();

  // Empty: nothing of it is here.
  const sail::BlockRowRef& row(int row) const { return blocks_[static_cast<size_t>(row)]; }
  void set_row(int row, sail::BlockRowRef blocks) {
    blocks_[static_cast<size_t>(row)] = std::move(blocks);
  }
  // The row, to be filled: empty and nobody else's the first time.
  sail::BlockRow& fresh_row(int row);

  bool has(int column, int row_number) const {
    return row(row_number) && row(row_number)->has(column);
  }
  // The frame number with which the block came: as long as it stays, the block has not changed. 0:
  // the block is not here.
  uint64_t version(int column, int row_number) const {
    return row(row_number) ? row(row_number)->version(column) : 0;
  }
  // As it came.
  std::span<const uint8_t> block(int column, int row_number) const {
    return row(row_number)->block(column);
  }

  // What is to be painted of a block, as large as it is in grid(): texel blocks of DXT, of all
  // other codecs picture(). Frames that need decoding have it once they are decoded. Null: nothing
  // is here, or none could be read yet.
  const uint8_t* plain(int column, int row_number) const {
    if (!decoded_) return has(column, row_number) ? block(column, row_number).data() : nullptr;
    const PlainBlockRef& plain = plain_[index(column, row_number)];
    return plain ? plain->data() : nullptr;
  }
  void set_plain(int column, int row_number, const PlainBlockRef& plain) {
    plain_[index(column, row_number)] = plain;
  }
  // That, where it is no DXT.
  codecs::ImageView picture(int column, int row) const;
  // Which part of that is there, in the frame's pixels.
  sail::Rect plain_part(int column, int row_number) const {
    if (!decoded_) return grid_.block_rect(column, row_number);
    return plain_[index(column, row_number)]->part;
  }
  // What is here of a block of a frame that was decoded; null as plain().
  PlainBlock* plain_block(int column, int row_number) const {
    return plain_[index(column, row_number)].get();
  }
  DecodedBlocks& decoded_blocks() const { return *decoded_; }
  // The place of a block among all, row by row.
  size_t index(int column, int row_number) const {
    return static_cast<size_t>(row_number) * static_cast<size_t>(grid_.columns()) +
           static_cast<size_t>(column);
  }

  uint32_t stream() const { return source_.stream; }
  // The data connection that brought it.
  uint64_t session() const { return source_.session; }
  const sail::StreamCodec& codec() const { return source_.codec; }
  // How often the stream's picture was halved, before it was cut into blocks or in each of them.
  int reduction() const { return reduction_; }
  const sail::BlockGrid& grid() const { return grid_; }
  // The grid that the frame would have if it were not reduced.
  const sail::BlockGrid& full_grid() const { return source_.grid; }
  // What the components of JPEG 2000 are.
  codecs::PictureColor color() const { return color_; }
  const FrameKey& key() const { return key_; }
  // What is worth decoding of it, in its pixels: at first all.
  const sail::Rect& wanted() const { return wanted_; }
  void set_wanted(const sail::Rect& part) { wanted_ = part; }
  sail::Rect all() const { return {0, 0, grid_.frame_size().width, grid_.frame_size().height}; }
  // Wall time: it is to be ready then, and not before; 0: at once. And how long after it was
  // submitted that is.
  int64_t ready_at_ns() const { return delay_ns_ == 0 ? 0 : submitted_ns_ + delay_ns_; }
  int64_t delay_ns() const { return delay_ns_; }
  void set_delay(int64_t submitted_ns, uint32_t delay_us) {
    submitted_ns_ = submitted_ns;
    delay_ns_ = int64_t{delay_us} * 1000;
  }
  // Steady time: the first message of it came.
  int64_t begun_ns() const { return begun_ns_; }
  void set_begun_ns(int64_t begun_ns) { begun_ns_ = begun_ns; }
  // Steady time: the last block arrived.
  int64_t assembled_ns() const { return assembled_ns_; }
  void set_assembled_ns(int64_t assembled_ns) { assembled_ns_ = assembled_ns; }

 private:
  FrameSource source_;
  sail::BlockGrid grid_;
  int reduction_ = 0;
  codecs::PictureColor color_;
  sail::Rect wanted_;
  FrameKey key_;
  int64_t submitted_ns_ = 0;
  int64_t delay_ns_ = 0;
  int64_t begun_ns_ = 0;
  int64_t assembled_ns_ = 0;
  std::shared_ptr<sail::BlockRowPools> rows_;
  std::shared_ptr<DecodedBlocks> decoded_;
  // After the pools, which outlive them.
  std::vector<sail::BlockRowRef> blocks_;
  std::vector<PlainBlockRef> plain_;  // row by row; of codecs that need decoding
};

}  // namespace receiver
