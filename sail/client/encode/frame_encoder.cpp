#include "sail/client/encode/frame_encoder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <utility>

namespace sail {
namespace {

// Returns the source pixels of a block of a reduced frame.
Rect source_of(const Rect& rect, int reduction, const codecs::ImageView& image) {
  return intersect(
      {rect.x << reduction, rect.y << reduction, rect.width << reduction, rect.height << reduction},
      {0, 0, image.width, image.height});
}

}  // namespace

FrameEncoder::FrameEncoder(const CodecSpec& codec, const BlockGrid& grid, double fps,
                           WorkerPool& workers, const WallClock& clock, FrameTrace& trace)
    : codec_(codec),
      pixels_(static_cast<double>(grid.frame_size().width) * grid.frame_size().height),
      workers_(workers),
      clock_(clock),
      trace_(trace) {
  if (codecs::is_j2k(codec.codec.id)) {
    coded_rows_ = std::vector<CodedRow>(static_cast<size_t>(grid.rows()));
    if (codec.rate.unit != CodecRate::Unit::kLossless) {
      rate_.emplace(codec.rate, grid.frame_size(), fps, grid.count());
    }
  }
  for (int i = 0; i <= workers.threads(); ++i) {
    lanes_.push_back({.encoder = codecs::BlockEncoder(codec.codec.id, codec.codec.compression),
                      .looks = {},
                      .codestream = {},
                      .places = {}});
  }
}

// --- rows ---------------------------------------------------------------------------------------

// Records that the block is unchanged.
void FrameEncoder::Row::keep(int column) {
  if (made) made->add_copy(*before, column);
}

// Returns the row into which a changed block is written. Copies the unchanged blocks before it.
BlockRow& FrameEncoder::Row::change(int column) {
  if (made) return *made;
  made = pools.take(number);
  for (int kept = 0; kept < column; ++kept) {
    if (frame.covers(kept, number)) made->add_copy(*before, kept);
  }
  return *made;
}

template <class FillRow>
void FrameEncoder::fill(const FrameRef& frame, BlockRowPools& rows,
                        const std::function<void()>& on_row, const FillRow& fill_row) {
  const BlockRowRef none;
  const int row_count = frame->grid().rows();
  std::atomic<int> next = 0;
  const auto run_one = [&](size_t lane) {
    const int number = next++;
    if (number >= row_count) return false;
    Row row{.frame = *frame,
            .number = number,
            .pools = rows,
            .before = before_ ? before_->row(number) : none,
            .made = {}};
    fill_row(row, lanes_[lane]);
    const bool changed = static_cast<bool>(row.made);
    frame->set_row(number, changed ? row.made : row.before, changed, clock_.wall_now_ns());
    on_row();
    return true;
  };
  // Change detection is bound by memory bandwidth, where one thread is as fast as several. While
  // nothing has changed, the workers sleep.
  const bool still = before_ && !before_->changed();
  const int64_t looked_ns = still && trace_.on() ? steady_now_ns() : 0;
  while (still && !frame->changed() && run_one(0)) {
  }
  if (looked_ns != 0) note_lane(0, *frame, looked_ns);
  const auto run_lane = [&](size_t lane) {
    const int64_t begun_ns = trace_.on() ? steady_now_ns() : 0;
    bool worked = false;
    while (run_one(lane)) worked = true;
    if (worked && begun_ns != 0) note_lane(lane, *frame, begun_ns);
  };
  // Pass by reference: std::function would allocate memory for a copy.
  if (next < row_count) workers_.for_each(lanes_.size(), std::cref(run_lane));
  before_ = frame;
}

void FrameEncoder::note_lane(size_t lane, const EncodedFrame& frame, int64_t begun_ns) {
  trace_.add({.stage = TraceStage::kEncode,
              .lane = kFirstEncodeLane + static_cast<uint32_t>(lane),
              .frame = frame.number(),
              .begin_ns = begun_ns,
              .end_ns = steady_now_ns()});
}

// A frame with another grid or colour, or in other memory, shares nothing with the previous frame.
void FrameEncoder::begin(const FrameRef& frame) {
  ++frames_;
  if (before_ && before_->grid() == frame->grid() && before_->color() == frame->color() &&
      before_->memory() == frame->memory()) {
    frame->set_picture_before(before_->picture());
    return;
  }
  before_ = {};
  changes_.reset(frame->grid().count());
}

// --- encoding -----------------------------------------------------------------------------------

void FrameEncoder::encode(const codecs::ImageView& image, const FrameRef& frame,
                          BlockRowPools& rows, const std::function<void()>& on_row) {
  if (!coded_rows_.empty()) return encode_blocks(image, frame, rows, on_row);
  fill(frame, rows, on_row, [&](Row& row, Lane& lane) { encode_row(image, row, lane); });
}

void FrameEncoder::find_changes_in_row(const codecs::ImageView& image, const EncodedFrame& frame,
                                       int number, Lane& lane) {
  const auto columns = static_cast<size_t>(frame.grid().columns());
  lane.looks.clear();
  for (int column = 0; column < frame.grid().columns(); ++column) {
    if (!frame.covers(column, number)) continue;
    const Rect rect = frame.grid().block_rect(column, number);
    lane.looks.push_back(
        {.block = static_cast<size_t>(number) * columns + static_cast<size_t>(column),
         .source_rect = source_of(rect, frame.reduction(), image)});
  }
  changes_.find_changes(image, frames_, lane.looks);
}

void FrameEncoder::encode_row(const codecs::ImageView& image, Row& row, Lane& lane) {
  const EncodedFrame& frame = row.frame;
  const auto columns = static_cast<size_t>(frame.grid().columns());
  find_changes_in_row(image, frame, row.number, lane);
  int first = 0, count = 0;  // the current run of blocks to encode
  for (const BlockChanges::BlockCheck& look : lane.looks) {
    const int column = static_cast<int>(look.block % columns);
    const bool same = look.same && row.had(column);
    if (count > 0 && (same || column != first + count)) {
      encode_run(image, row, lane, first, count);
      count = 0;
    }
    if (same) row.keep(column);
    if (!same && count++ == 0) first = column;
  }
  if (count > 0) encode_run(image, row, lane, first, count);
}

void FrameEncoder::encode_run(const codecs::ImageView& image, Row& row, Lane& lane, int first,
                              int count) {
  const EncodedFrame& frame = row.frame;
  if (lane.encoder.encodes_rows() && frame.reduction() == 0) {
    return encode_together(image, row, lane, first, count);
  }
  const auto [id, compression] = codec_.codec;
  const bool planar = codecs::is_planar(id, compression, frame.color().matrix);
  for (int column = first; column < first + count; ++column) {
    const Rect rect = frame.grid().block_rect(column, row.number);
    BlockRow& made = row.change(column);
    made.add(column, frame.number(),
             lane.encoder.encode(image, frame.reduction(), rect.x, rect.y, rect.width, rect.height,
                                 {.mode = codec_.mode, .j2k = {}, .planar = planar}, made.space()));
  }
}

// The blocks have fixed lengths, so all destinations are known before encoding.
void FrameEncoder::encode_together(const codecs::ImageView& image, Row& row, Lane& lane, int first,
                                   int count) {
  const BlockGrid& grid = row.frame.grid();
  const auto rect_of = [&](int i) { return grid.block_rect(first + i, row.number); };
  const auto bytes_of = [&](int i) {
    const Rect rect = rect_of(i);
    return codecs::max_block_bytes(codec_.codec.id, rect.width, rect.height);
  };
  BlockRow& made = row.change(first);
  lane.places.clear();
  uint8_t* at = made.space().data();
  for (int i = 0; i < count; ++i) {
    lane.places.push_back(at);
    at += bytes_of(i);
  }
  const Rect left = rect_of(0), right = rect_of(count - 1);
  lane.encoder.encode_row(image, left.x, left.y, left.width, right.x + right.width, left.height,
                          codec_.mode, lane.places);
  for (int i = 0; i < count; ++i) made.add(first + i, row.frame.number(), bytes_of(i));
}

// --- blocks that come encoded -------------------------------------------------------------------

bool FrameEncoder::fits(const EncodedBlocks& blocks, const BlockGrid& grid) const {
  if (blocks.lengths.size() != grid.count()) return false;
  size_t total = 0;
  for (size_t i = 0; i < blocks.lengths.size(); ++i) {
    const Rect rect =
        grid.block_rect(static_cast<int>(i) % grid.columns(), static_cast<int>(i) / grid.columns());
    const auto [id, compression] = codec_.codec;
    const auto [least, most] =
        codecs::block_bounds(id, compression, blocks.color.matrix, rect.width, rect.height);
    if (blocks.lengths[i] < least || blocks.lengths[i] > most) return false;
    total += blocks.lengths[i];
  }
  return total == blocks.bytes.size();
}

// JPEG 2000 codestreams from other encoders may also store their resolutions in order.
codecs::PrefixBytes FrameEncoder::lengths_of(std::span<const uint8_t> block) const {
  if (codecs::is_j2k(codec_.codec.id)) return codecs::j2k_prefix_bytes(block);
  codecs::PrefixBytes all;
  all.fill(static_cast<uint32_t>(block.size()));
  return all;
}

void FrameEncoder::take_over(const EncodedBlocks& blocks, const FrameRef& frame,
                             BlockRowPools& rows, const std::function<void()>& on_row) {
  const auto columns = static_cast<size_t>(frame->grid().columns());
  fill(frame, rows, on_row, [&](Row& row, Lane& /*lane*/) {
    const size_t first = static_cast<size_t>(row.number) * columns;
    const auto lengths = blocks.lengths.subspan(first, columns);
    const auto above = blocks.lengths.first(first);
    size_t offset = std::accumulate(above.begin(), above.end(), size_t{0});
    for (int column = 0; column < frame->grid().columns(); ++column) {
      const auto bytes = blocks.bytes.subspan(offset, lengths[static_cast<size_t>(column)]);
      offset += bytes.size();
      if (!frame->covers(column, row.number)) continue;
      if (row.had(column) && std::ranges::equal(bytes, row.before->block(column))) {
        row.keep(column);
        continue;
      }
      BlockRow& made = row.change(column);
      std::memcpy(made.space().data(), bytes.data(), bytes.size());
      made.add(column, frame->number(), lengths_of(bytes));
    }
  });
}

}  // namespace sail
