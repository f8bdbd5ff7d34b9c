#include "receiver/intake/frame_assembler.h"

#include <fmt/core.h>

#include <new>
#include <numeric>
#include <utility>

#include "codecs/picture/block_encoder.h"
#include "receiver/decode/carried_decoding.h"
#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataError;

DataError refuse(CloseReason reason, std::string text) {
  return DataError{reason, std::move(text)};
}

// Decoded blocks that no frame has: the newest one, and the one that is being decoded.
constexpr size_t kVersionsOfNoFrame = 2;

// Only JPEG 2000, carried streams and planar raw blocks can have colour spaces other than RGB, and
// only Y'CbCr has a range.
bool possible(const codecs::PictureColor& color, const sail::StreamCodec& codec) {
  constexpr codecs::PictureColor kRgb;
  const bool ycc =
      color.matrix != codecs::ColorMatrix::kRgb && color.matrix != codecs::ColorMatrix::kXyz;
  if (codecs::has_picture_color(codec.id)) return ycc || color.range == kRgb.range;
  return color == kRgb || codecs::is_planar(codec.id, codec.compression, color.matrix);
}

}  // namespace

size_t FrameAssembler::memory(const FrameSource& source, int frames_in_flight) {
  // Bookkeeping of a block in its row and frame, in addition to its bytes.
  constexpr size_t kBookkeepingBytes = 64;
  const size_t frame =
      Frame::memory(source.grid, source.codec.id) + source.grid.count() * kBookkeepingBytes +
      (needs_decoding(source.codec) ? DecodedBlocks::memory(source.grid, source.codec.id) : 0);
  // The access units of one frame lie in memory that the decoder shares.
  const size_t decoder = codecs::is_carried(source.codec.id)
                             ? carried_decoder_bytes(source.grid.frame_size()) +
                                   Frame::memory(source.grid, source.codec.id)
                             : 0;
  return static_cast<size_t>(frames(frames_in_flight) + 1) * frame + decoder;
}

FrameAssembler::FrameAssembler(const FrameSource& source, int frames_in_flight)
    : source_(source),
      frames_in_flight_(frames_in_flight),
      rows_(std::make_shared<sail::BlockRowPools>(source.grid,
                                                  [codec = source.codec.id](int width, int height) {
                                                    return codecs::max_block_bytes(codec, width,
                                                                                   height);
                                                  })),
      decoded_(needs_decoding(source.codec)
                   ? std::make_shared<DecodedBlocks>(
                         source.grid, source.codec.id,
                         static_cast<size_t>(frames(frames_in_flight)) + kVersionsOfNoFrame)
                   : nullptr),
      last_rows_(static_cast<size_t>(source.grid.rows())) {
  free_.reserve(static_cast<size_t>(frames(frames_in_flight)));
  lengths_.reserve(static_cast<size_t>(source.grid.columns()));
  rows_->grow();  // rows for last_rows_
}

FrameAssembler::~FrameAssembler() {
  if (decoded_) decoded_->abandon();
}

std::optional<DataError> FrameAssembler::take_key(const FrameKey& key) {
  if (key <= key_) {
    return sail::bad_message(fmt::format("frame {} of epoch {} comes after frame {} of epoch {}",
                                         key.number, key.epoch, key_.number, key_.epoch));
  }
  if (unreported_ == frames_in_flight_) {
    return DataError{CloseReason::kLimit,
                     fmt::format("more than {} frames in flight", frames_in_flight_)};
  }
  key_ = key;
  ++unreported_;
  return std::nullopt;
}

sail::DataResult<std::unique_ptr<Frame>> FrameAssembler::begin(const sail::FrameBegin& message) {
  const FrameKey key{message.epoch, message.frame};
  if (!possible(message.color, source_.codec)) {
    return refuse(
        CloseReason::kBadMessage,
        fmt::format("colour matrix {} with range {} is not possible with codec {}",
                    static_cast<int>(message.color.matrix), static_cast<int>(message.color.range),
                    sail::codec_name(source_.codec)));
  }
  if (auto error = take_key(key)) return *std::move(error);
  auto next = free_frame();
  if (!next) return std::move(next.error());
  std::unique_ptr<Frame> incomplete = std::exchange(current_, *std::move(next));
  if (incomplete) forget_last();
  current_->begin(key, message.reduction, message.color);
  current_->set_begun_ns(sail::steady_now_ns());
  current_->set_delay(message.submitted_ns, message.delay_us);
  base_ = message.base;
  here_ = 0;
  return incomplete;
}

sail::DataResult<std::unique_ptr<Frame>> FrameAssembler::lose(const FrameKey& key) {
  if (current_ && key == key_) return std::move(current_);
  if (auto error = take_key(key)) return *std::move(error);
  return nullptr;
}

sail::DataResult<std::unique_ptr<Frame>> FrameAssembler::free_frame() {
  if (!free_.empty()) {
    std::unique_ptr<Frame> frame = std::move(free_.back());
    free_.pop_back();
    return frame;
  }
  if (frames_made_ == frames(frames_in_flight_))
    return refuse(CloseReason::kLimit, "no frame buffer is free");
  if (auto room = sail::ask_for_memory(Frame::memory(source_.grid, source_.codec.id),
                                       "another frame on this node");
      !room) {
    return refuse(CloseReason::kLimit, room.error().message);
  }
  try {
    rows_->grow();
    auto made = std::make_unique<Frame>(source_, rows_, decoded_);
    ++frames_made_;
    return made;
  } catch (const std::bad_alloc&) {
    return refuse(CloseReason::kLimit, "this node has no memory for another frame");
  }
}

std::optional<DataError> FrameAssembler::check(const sail::BlockRun& run,
                                               std::span<const uint32_t> lengths) const {
  if (!current_ || run.frame != key_.number) {
    return sail::bad_message(
        fmt::format("blocks of frame {}, which is not the current frame", run.frame));
  }
  const sail::BlockGrid& grid = current_->grid();
  if (run.count == 0 || run.row >= grid.rows() || run.first_column + run.count > grid.columns()) {
    return sail::bad_message(fmt::format(
        "blocks {} to {} of block row {} are outside the frame of {}×{} blocks", run.first_column,
        run.first_column + run.count - 1, run.row, grid.columns(), grid.rows()));
  }
  const auto [codec, compression] = source_.codec;
  for (int i = 0; i < run.count; ++i) {
    const int column = run.first_column + i;
    if (current_->has(column, run.row)) {
      return sail::bad_message(
          fmt::format("block {} of block row {} was received twice", column, run.row));
    }
    // Codestreams that cannot be truncated contain the whole block even in a reduced frame.
    const sail::Rect rect =
        (codecs::is_j2k(codec) ? source_.grid : grid).block_rect(column, run.row);
    const auto [least, most] =
        codecs::block_bounds(codec, compression, current_->color().matrix, rect.width, rect.height);
    const uint32_t length = lengths[static_cast<size_t>(i)];
    if (length < least || length > most) {
      return sail::bad_message(fmt::format("a block of {} bytes, but blocks of {} have {}{}",
                                           length, sail::codec_name(source_.codec),
                                           least == most ? "" : "at most ", most));
    }
  }
  return std::nullopt;
}

sail::DataResult<std::span<uint8_t>> FrameAssembler::place(const sail::BlockRun& run,
                                                           std::span<const uint32_t> lengths) {
  if (auto error = check(run, lengths)) return *std::move(error);
  run_ = run;
  lengths_.assign(lengths.begin(), lengths.end());
  return current_->fresh_row(run.row).space().first(
      std::accumulate(lengths.begin(), lengths.end(), size_t{0}));
}

void FrameAssembler::placed() {
  sail::BlockRow& row = current_->fresh_row(run_.row);
  for (int i = 0; i < run_.count; ++i) {
    row.add(run_.first_column + i, key_.number, lengths_[static_cast<size_t>(i)]);
  }
  here_ += run_.count;
}

sail::DataResult<FrameAssembler::Ended> FrameAssembler::end(const sail::FrameEnd& message) {
  if (!current_ || message.frame != key_.number) {
    return refuse(
        CloseReason::kBadMessage,
        fmt::format("the end of frame {}, which is not the current frame", message.frame));
  }
  if (here_ > message.block_count || message.block_count > current_->grid().count() ||
      (message.block_count == 0 && base_ == 0)) {
    return refuse(
        CloseReason::kBadMessage,
        fmt::format("{} blocks received of a frame of {} blocks {}", here_, message.block_count,
                    base_ == 0 ? "without a base" : fmt::format("based on frame {}", base_)));
  }
  const bool has_base = base_ == 0 || (base_ <= last_.number && last_grid_ == current_->grid());
  if (here_ < message.block_count || !has_base) {
    forget_last();
    return Ended{.frame = std::move(current_), .whole = false};
  }
  // Raw blocks of another colour may have another format. The sender sends all that it still needs.
  const bool same_format =
      codecs::has_picture_color(source_.codec.id) || last_color_ == current_->color();
  if (base_ == 0 || !same_format) forget_last();
  build_on_last(*current_);
  last_ = key_;
  last_grid_ = current_->grid();
  last_color_ = current_->color();
  for (int row = 0; row < last_grid_.rows(); ++row) {
    last_rows_[static_cast<size_t>(row)] = current_->row(row);
  }
  return Ended{.frame = std::move(current_), .whole = true};
}

void FrameAssembler::build_on_last(Frame& frame) const {
  for (int row = 0; row < frame.grid().rows(); ++row) {
    const sail::BlockRowRef& last = last_rows_[static_cast<size_t>(row)];
    if (!last) continue;
    if (!frame.row(row)) {
      frame.set_row(row, last);
      continue;
    }
    sail::BlockRow& blocks = frame.fresh_row(row);
    for (int column = 0; column < frame.grid().columns(); ++column) {
      if (!blocks.has(column) && last->has(column)) blocks.add_copy(*last, column);
    }
  }
}

void FrameAssembler::forget_last() {
  last_ = {};
  for (sail::BlockRowRef& row : last_rows_) row = {};
}

void FrameAssembler::recycle(std::unique_ptr<Frame> frame) {
  frame->clear();
  free_.push_back(std::move(frame));
}

}  // namespace receiver
