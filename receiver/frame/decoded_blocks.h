// Memory for the decoded blocks of a connection: pixels of JPEG 2000, or texel blocks or pixels
// from a second compression stage. Each version of a block is decoded once. The result is reference
// counted, and all frames in which the block is unchanged share it, like compressed rows. A shared
// block is immutable, except that LateDecoder may decode further areas of it.
//
// Pictures of carried streams lie in memory that the decoder's process shares, and are painted from
// there.
//
// Allocates memory only for blocks that arrive, as many copies as frames in use have different
// versions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "codecs/base/image.h"
#include "codecs/picture/block_encoder.h"
#include "receiver/frame/picture_memory.h"
#include "sail/core/base/shared_pool.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wire/data/codec_name.h"

namespace receiver {

// Returns true if blocks of this codec must be decoded before they can be painted.
inline bool needs_decoding(const sail::StreamCodec& codec) {
  return codecs::is_j2k(codec.id) || codecs::is_carried(codec.id) ||
         codec.compression != codecs::Compression::kNone;
}

// Returns the bytes of a decoded block: texel blocks for DXT, pixels for all other codecs.
inline size_t plain_bytes(codecs::CodecId codec, int width, int height) {
  return codecs::max_block_bytes(codecs::is_dxt(codec) ? codec : codecs::CodecId::kRaw, width,
                                 height);
}

// A decoded block: texel blocks, or a picture in the layout of packed_view(). The picture is B, G,
// R and an unused byte; or YUV as encoded, which takes less than half the memory bandwidth and is
// converted when it is painted.
class PlainBlock {
 public:
  explicit PlainBlock(size_t bytes)
      : bytes_(std::make_unique_for_overwrite<uint8_t[]>(bytes)), data_(bytes_.get()) {}
  // A place for a picture of a carried stream. The memory must outlive the block.
  PlainBlock(const PictureMemory& memory, size_t place)
      : data_(memory.picture(place)), place_(place) {}
  uint8_t* data() const { return data_; }
  // Which place of the shared memory; 0 for other blocks.
  size_t place() const { return place_; }

  // Version of the block that was decoded, and the area of the frame that is valid here, in frame
  // pixels. The rest of the memory is uninitialized. LateDecoder may add to the area.
  uint64_t version = 0;
  sail::Rect part;
  codecs::PixelFormat format = codecs::PixelFormat::kBgra;

 private:
  std::unique_ptr<uint8_t[]> bytes_;  // null: shared memory
  uint8_t* data_;
  size_t place_ = 0;
};
using PlainBlockRef = sail::SharedPool<PlainBlock>::Ref;

// What a decoder keeps from one frame of a connection to the next.
class DecoderState {
 public:
  virtual ~DecoderState() = default;
};

// Blocks are indexed row by row. Not thread-safe, except for concurrent take() of different blocks.
class DecodedBlocks {
 public:
  // grid: of unreduced frames. Blocks of reduced frames fit too. versions: of one block in use at a
  // time, at most; bounds the memory of carried streams.
  DecodedBlocks(const sail::BlockGrid& grid, codecs::CodecId codec, size_t versions);

  // Returns the most bytes that the decoded blocks of one frame can take.
  static size_t memory(const sail::BlockGrid& grid, codecs::CodecId codec);

  // The most recent result of a block.
  struct Block {
    uint64_t version = 0;  // the version last decoded or tried; 0: none
    PlainBlockRef plain;   // empty: no version could be decoded yet
  };
  // Prepares for a frame of this kind. Forgets the results if the kind has changed.
  void begin(const sail::BlockGrid& grid, codecs::PictureColor color);
  Block& last(size_t block) { return last_[block]; }
  // Returns unreferenced memory for a block, or an empty reference if there is none.
  PlainBlockRef take(size_t block);
  // The memory of a carried stream's blocks, which its decoder shares; null before the first
  // take().
  const PictureMemory* memory() const { return memory_.get(); }
  // Returns the picture of a carried stream that was decoded last; empty: none yet. Valid until the
  // next one is decoded.
  std::optional<codecs::ImageView> carried_picture() const;
  // Null until the first frame of a codec whose frames depend on each other.
  std::unique_ptr<DecoderState>& state() { return state_; }
  // The connection has ended, so its frames need no decoding. Callable from any thread.
  void abandon() { abandoned_.request_stop(); }
  std::stop_token abandoned() const { return abandoned_.get_token(); }

 private:
  PlainBlockRef take_shared(sail::SharedPool<PlainBlock>& pool);

  const size_t block_bytes_;
  const PictureMemory::Shape shape_;  // no pictures: blocks are not shared
  std::unique_ptr<PictureMemory> memory_;
  std::vector<sail::SharedPool<PlainBlock>> pools_;
  sail::BlockGrid grid_;
  codecs::PictureColor color_;
  std::stop_source abandoned_;
  std::unique_ptr<DecoderState> state_;  // declared after the memory, which must outlive it
  std::vector<Block> last_;              // declared after the pools, which must outlive it
};

}  // namespace receiver
