// Encoded frames in memory. Each stream has a bounded pool of them. The submitting thread fills a
// frame block row by block row, while the loop thread already sends the finished rows. Unchanged
// rows are shared with the previous frame.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sail/client/encode/carried_units.h"
#include "sail/core/base/shared_pool.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wall/block_rows.h"
#include "sail/core/wire/data/codec_name.h"

namespace sail {

// If no frame follows for this long, the frame may be a still picture.
constexpr int64_t kStillNs = 500'000'000;

// Whether receivers on this host read the stream's blocks in shared memory. Blocks of other codecs
// are so short that copies by TCP cost little.
constexpr bool is_shared(const StreamCodec& codec) {
  return codec.id == codecs::CodecId::kRaw && codec.compression == codecs::Compression::kNone;
}

// The blocks of a stream's frames that any tile shows, by the newest routing map. The submitting
// thread encodes these blocks. Immutable.
struct WantedBlocks {
  int reduction = 0;  // number of halvings before the frame is divided into blocks
  BlockGrid grid;     // grid of the reduced frame
  std::vector<bool> blocks;

  size_t index(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(grid.columns()) +
           static_cast<size_t>(column);
  }
  bool has(int column, int row) const { return blocks[index(column, row)]; }
};

// Receivers on this host that want to read a stream's frames in shared memory. Thread-safe.
class MemoryDemand {
 public:
  void add() {
    if (readers_.fetch_add(1, std::memory_order_acq_rel) == 0) {
      rises_.fetch_add(1, std::memory_order_acq_rel);
    }
  }
  void remove() { readers_.fetch_sub(1, std::memory_order_acq_rel); }
  bool exists() const { return readers_.load(std::memory_order_acquire) > 0; }
  // How often a first reader came.
  uint64_t rises() const { return rises_.load(std::memory_order_acquire); }

 private:
  std::atomic<int> readers_{0};
  std::atomic<uint64_t> rises_{0};
};

// One frame. Call begin() first. Each row is set by one encoding thread with set_row(). Any holder
// of a FrameRef may call the other functions.
class EncodedFrame {
 public:
  // memory: shared memory that may hold the rows' bytes, or null. It must outlive the frame.
  // demand: who wants such memory.
  EncodedFrame(int max_rows, const SealedMemory* memory, std::shared_ptr<MemoryDemand> demand);

  uint64_t number() const { return number_; }
  int64_t submitted_ns() const { return submitted_ns_; }
  int reduction() const { return wanted_->reduction; }
  // Presentation time (wall clock); 0: as soon as possible. Set before sending begins.
  int64_t present_ns() const { return present_ns_; }
  // Identifies the frame among the members of its group; 0: not in a group.
  int64_t name() const { return name_; }
  void set_present(int64_t present_ns, int64_t name) {
    present_ns_ = present_ns;
    name_ = name;
  }
  // Colour of the blocks' components, where the codec does not define it.
  codecs::PictureColor color() const { return color_; }
  const BlockGrid& grid() const { return wanted_->grid; }
  // Returns true if the frame was encoded for exactly these blocks.
  bool is_for(const WantedBlocks& wanted) const { return wanted_.get() == &wanted; }
  // Returns true if the frame has this block or will have it.
  bool covers(int column, int row) const { return whole_ || wanted_->has(column, row); }

  // The access units of a carried stream's frame, whose only row has no block; null: other codecs.
  const UnitChain* units() const { return carried_ ? &units_ : nullptr; }

  // Shared memory that may hold the rows' bytes; null: none.
  const SealedMemory* memory() const { return memory_; }
  // Why there is none despite the demand; null: no trouble.
  const std::string* memory_trouble() const { return memory_trouble_; }
  // MemoryDemand::rises() when the frame was taken. While it is the same and the demand lasts, the
  // memory stays.
  uint64_t demand_rise() const { return demand_rise_; }
  const std::shared_ptr<MemoryDemand>& memory_demand() const { return memory_demand_; }

  // --- encoding
  // Set before other threads see the frame.
  void set_demand(uint64_t rise, const std::string* trouble) {
    demand_rise_ = rise;
    memory_trouble_ = trouble;
  }
  // whole: encode all blocks, including those that no receiver wants at present.
  void begin(uint64_t number, int64_t submitted_ns, std::shared_ptr<const WantedBlocks> wanted,
             bool whole, codecs::PictureColor color = {});
  // Sets the previous frame's picture(). Call before other threads see the frame.
  void set_picture_before(uint64_t picture) { picture_before_ = picture; }
  // Sets the access units of a carried stream's frame, and all of its rows.
  void set_units(const UnitChain& units, int64_t now_ns);
  // Publishes a row, which must not change afterwards. blocks: empty if none is wanted. changed:
  // the row differs from the previous frame's. now_ns: wall time.
  void set_row(int row, BlockRowRef blocks, bool changed, int64_t now_ns);

  // --- sending
  bool has_row(int row) const {
    return rows_done_[static_cast<size_t>(row)].load(std::memory_order_acquire);
  }
  bool has_all_rows() const { return rows_left_.load(std::memory_order_acquire) == 0; }
  // Returns true if some finished row differs from the previous frame.
  bool changed() const { return changed_.load(std::memory_order_acquire); }
  // Returns the number of the first frame with the same picture, as far as known. Final once
  // changed() or has_all_rows() is true.
  uint64_t picture() const { return changed() ? number_ : picture_before_; }
  // Call only after has_row() returned true for this row.
  const BlockRowRef& row(int row) const { return rows_[static_cast<size_t>(row)]; }
  // Wall time at which the last row was finished. Call only when has_all_rows() is true.
  int64_t encoded_ns() const { return encoded_ns_.load(std::memory_order_relaxed); }

 private:
  const SealedMemory* memory_;
  const std::string* memory_trouble_ = nullptr;
  uint64_t demand_rise_ = 0;
  const std::shared_ptr<MemoryDemand> memory_demand_;
  std::vector<BlockRowRef> rows_;
  std::unique_ptr<std::atomic<bool>[]> rows_done_;
  std::atomic<int> rows_left_{0};
  std::atomic<int64_t> encoded_ns_{0};
  std::atomic<bool> changed_{false};
  uint64_t picture_before_ = 0;
  uint64_t number_ = 0;
  int64_t submitted_ns_ = 0;
  int64_t present_ns_ = 0;
  int64_t name_ = 0;
  std::shared_ptr<const WantedBlocks> wanted_;
  codecs::PictureColor color_;
  UnitChain units_;
  bool carried_ = false;
  bool whole_ = false;
};

using FrameRef = SharedPool<EncodedFrame>::Ref;

// Allocates frames and their rows on demand, up to a bound. While receivers on this host demand it,
// new frames lie in shared memory; later frames do not, and the memory is given back once the
// frames in it are not used any more. Must outlive all references.
class FramePool {
 public:
  template <class BlockBytes>
  FramePool(const BlockGrid& grid, size_t max_frames, const BlockBytes& block_bytes)
      : max_rows_(grid.rows()),
        max_frames_(max_frames),
        now_(std::make_unique<Frames>(BlockRowPools(grid, block_bytes))) {}

  // One thread at a time. Returns an empty reference if the bound or memory is exhausted. Frames
  // with different memory() have no rows in common.
  FrameRef take();
  // Row buffers for the frame taken last: see BlockRowPools::take().
  BlockRowPools& rows() { return now_->rows; }
  // Number of frames allocated so far.
  size_t size() const { return now_->frames.size(); }

 private:
  // Frames refer to these rows only.
  struct Frames {
    explicit Frames(BlockRowPools of) : rows(std::move(of)) {}
    BlockRowPools rows;
    SharedPool<EncodedFrame> frames;
  };
  void replace(BlockRowPools rows);
  Result<void> share();
  // Begins or ends to share memory.
  void follow_demand();

  const int max_rows_;
  const size_t max_frames_;
  const std::shared_ptr<MemoryDemand> demand_ = std::make_shared<MemoryDemand>();
  std::unique_ptr<Frames> now_;
  std::unique_ptr<Frames> before_;  // until its last frame is released; meanwhile now_ stays
  uint64_t failed_rise_ = 0;        // of the demand, at the last try to share that failed; 0: none
  std::string trouble_;             // of the first try that failed; does not change
};

}  // namespace sail
