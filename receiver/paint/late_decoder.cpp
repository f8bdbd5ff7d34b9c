#include "receiver/paint/late_decoder.h"

#include <algorithm>

#include "receiver/decode/block_decoder.h"

namespace receiver {
namespace {

using sail::Rect;

// Margin to decode in addition, because a window that is being dragged will uncover more.
constexpr int kMorePixels = 128;

Rect grown(const Rect& rect) {
  return {rect.x - kMorePixels, rect.y - kMorePixels, rect.width + 2 * kMorePixels,
          rect.height + 2 * kMorePixels};
}

}  // namespace

void LateDecoder::decode(const Changes& changes) {
  reads_.clear();
  for (const TileChanges& tile : changes.tiles) {
    for (const Part& part : tile.parts) collect(part);
  }
  for (const Read& read : reads_) decode(read);
}

void LateDecoder::collect(const Part& part) {
  if (part.frame == nullptr || part.frame->codec().id != codecs::CodecId::kHtj2k) return;
  auto read = std::ranges::find(reads_, part.frame, [](const Read& known) { return known.frame; });
  if (read == reads_.end()) read = reads_.insert(read, {part.frame, {}});
  for (const Band& band : part.piece->bands)
    read->part = sail::united(read->part, band.source_rect);
}

// A concealed block has the pixels of another version and is left as it is.
void LateDecoder::decode(const Read& read) {
  const Frame& frame = *read.frame;
  const Rect blocks = frame.grid().blocks_touching(read.part);
  for (int row = blocks.y; row < blocks.bottom(); ++row) {
    for (int column = blocks.x; column < blocks.right(); ++column) {
      PlainBlock* const plain = frame.plain_block(column, row);
      if (plain == nullptr || plain->version != frame.version(column, row)) continue;
      const Rect block = frame.grid().block_rect(column, row);
      const Rect wanted = sail::united(plain->part, sail::intersect(block, read.part));
      if (wanted == plain->part) continue;
      if (!decoder_) decoder_ = codecs::make_j2k_decoder(codecs::CodecId::kHtj2k);
      const Rect part = sail::intersect(block, grown(wanted));
      if (decode_part(*decoder_, frame, column, row, part, *plain)) plain->part = part;
    }
  }
}

}  // namespace receiver
