// FrameEncoder for JPEG 2000: encodes block by block with rate control.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "codecs/picture/block_encoder.h"
#include "sail/client/encode/frame_encoder.h"

namespace sail {
namespace {

// Before the first frame, some sample blocks are encoded to learn the bytes that a quantizer step
// yields. Each round uses the result of the round before.
constexpr size_t kSamples = 4;
constexpr int kSampleRounds = 2;

}  // namespace

void FrameEncoder::encode_blocks(const codecs::ImageView& image, const FrameRef& frame,
                                 BlockRowPools& rows, const std::function<void()>& on_row) {
  find_changed(image, frame, rows);
  for (int row = 0; row < frame->grid().rows(); ++row) {
    if (coded_rows_[static_cast<size_t>(row)].left > 0) continue;
    frame->set_row(row, before_ ? before_->row(row) : BlockRowRef(), false, clock_.wall_now_ns());
    on_row();
  }
  if (rate_ && !coded_blocks_.empty()) {
    rate_->begin_frame(rated_blocks_, image.bits, clock_.wall_now_ns());
    if (rate_->ignorant()) learn_rate(image, *frame);
  }
  std::atomic<size_t> next = 0;
  const auto run_lane = [&](size_t lane) {
    const int64_t begun_ns = trace_.on() ? steady_now_ns() : 0;
    for (size_t i = next++; i < coded_blocks_.size(); i = next++) {
      encode_block(image, frame, coded_blocks_[i], lanes_[lane], on_row);
    }
    if (begun_ns != 0) note_lane(lane, *frame, begun_ns);
  };
  // Pass by reference: std::function would allocate memory for a copy.
  workers_.for_each(std::min(lanes_.size(), coded_blocks_.size()), std::cref(run_lane));
  if (rate_ && !coded_blocks_.empty()) rate_->end_frame();
  before_ = frame;
}

// Lists the blocks to encode: those that are covered and have changed.
void FrameEncoder::find_changed(const codecs::ImageView& image, const FrameRef& frame,
                                BlockRowPools& rows) {
  const BlockGrid& grid = frame->grid();
  const auto columns = static_cast<size_t>(grid.columns());
  std::atomic<int> next = 0;
  const auto find_changes_in_rows = [&](size_t lane) {
    for (int number = next++; number < grid.rows(); number = next++) {
      CodedRow& row = coded_rows_[static_cast<size_t>(number)];
      row.coded.assign(columns, false);
      row.left = 0;
      find_changes_in_row(image, *frame, number, lanes_[lane]);
      for (const BlockChanges::BlockCheck& look : lanes_[lane].looks) {
        const int column = static_cast<int>(look.block % columns);
        if (look.same && before_ && before_->row(number) && before_->row(number)->has(column)) {
          continue;
        }
        row.coded[static_cast<size_t>(column)] = true;
        ++row.left;
      }
      row.made = row.left > 0 ? rows.take(number) : BlockRowRef();
    }
  };
  workers_.for_each(lanes_.size(), std::cref(find_changes_in_rows));

  coded_blocks_.clear();
  rated_blocks_.clear();
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      if (!coded_rows_[static_cast<size_t>(row)].coded[static_cast<size_t>(column)]) continue;
      const Rect rect = grid.block_rect(column, row);
      const RateControl::Block rated{
          .index = static_cast<size_t>(row) * columns + static_cast<size_t>(column),
          .share = static_cast<double>(rect.width) * rect.height / pixels_};
      coded_blocks_.push_back({row, column, rated});
      rated_blocks_.push_back(rated);
    }
  }
}

void FrameEncoder::learn_rate(const codecs::ImageView& image, const EncodedFrame& frame) {
  const size_t samples = std::min(kSamples, coded_blocks_.size());
  const auto sample = [&](size_t i) -> const CodedBlock& {
    return coded_blocks_[(2 * i + 1) * coded_blocks_.size() / (2 * samples)];
  };
  float step = rate_->first_step();
  for (int round = 0; round < kSampleRounds; ++round) {
    std::array<size_t, kSamples> bytes{};
    const auto code = [&](size_t lane) {
      for (size_t i = lane; i < samples; i += lanes_.size()) {
        bytes[i] = encode_codestream(image, frame, sample(i), step, lanes_[lane])[0];
      }
    };
    workers_.for_each(std::min(lanes_.size(), samples), std::cref(code));
    for (size_t i = 0; i < samples; ++i) rate_->learn(sample(i).rate, step, bytes[i]);
    step = rate_->choose_step(rated_blocks_);
  }
}

void FrameEncoder::encode_block(const codecs::ImageView& image, const FrameRef& frame,
                                const CodedBlock& block, Lane& lane,
                                const std::function<void()>& on_row) {
  const codecs::PrefixBytes lengths = encode_at_rate(image, *frame, block, lane);
  CodedRow& row = coded_rows_[static_cast<size_t>(block.row)];
  const std::lock_guard lock(row.mutex);
  if (lengths[0] > 0) {
    std::memcpy(row.made->space().data(), lane.codestream.data(), lengths[0]);
    row.made->add(block.column, frame->number(), lengths);
  }
  if (--row.left > 0) return;
  finish_row(frame, block.row);
  on_row();
}

codecs::PrefixBytes FrameEncoder::encode_at_rate(const codecs::ImageView& image,
                                                 const EncodedFrame& frame, const CodedBlock& block,
                                                 Lane& lane) {
  if (!rate_) return encode_codestream(image, frame, block, 0, lane);
  std::optional<float> step = rate_->step_for(block.rate);
  codecs::PrefixBytes lengths{};
  while (step) {
    lengths = encode_codestream(image, frame, block, *step, lane);
    step = rate_->done(block.rate, *step, lengths[0]);
  }
  return lengths;
}

codecs::PrefixBytes FrameEncoder::encode_codestream(const codecs::ImageView& image,
                                                    const EncodedFrame& frame,
                                                    const CodedBlock& block, float step,
                                                    Lane& lane) {
  const Rect rect = frame.grid().block_rect(block.column, block.row);
  const size_t most = codecs::max_block_bytes(codec_.codec.id, rect.width, rect.height);
  if (lane.codestream.size() < most) lane.codestream.resize(most);
  return lane.encoder.encode(image, frame.reduction(), rect.x, rect.y, rect.width, rect.height,
                             {.mode = {}, .j2k = {.lossless = !rate_, .step = step}},
                             lane.codestream);
}

// Blocks that were not encoded, or could not be, keep their previous content.
void FrameEncoder::finish_row(const FrameRef& frame, int number) {
  CodedRow& row = coded_rows_[static_cast<size_t>(number)];
  for (int column = 0; column < frame->grid().columns(); ++column) {
    if (row.made->has(column) || !frame->covers(column, number)) continue;
    if (!before_ || !before_->row(number) || !before_->row(number)->has(column)) continue;
    row.made->add_copy(*before_->row(number), column);
  }
  frame->set_row(number, std::move(row.made), true, clock_.wall_now_ns());
}

}  // namespace sail
