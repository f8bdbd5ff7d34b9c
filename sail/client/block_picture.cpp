#include "sail/client/block_picture.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "codecs/dxt.h"
#include "codecs/j2k.h"
#include "codecs/sampled_picture.h"
#include "codecs/second_stage.h"

namespace sail {
namespace {

constexpr uint8_t kGrey = 48;  // of what is not known
constexpr int kStripRows = codecs::kTexelBlock;

std::span<const uint8_t> block_of(const EncodedFrame& frame, int column, int row) {
  const BlockRowRef& blocks = frame.row(row);
  if (!blocks || !blocks->has(column)) return {};
  return blocks->block(column);
}

codecs::ImageView bgra_view(const std::vector<uint8_t>& pixels, int width, int height) {
  codecs::ImageView view;
  view.width = width;
  view.height = height;
  view.planes[0] = pixels.data();
  view.strides[0] = ptrdiff_t{4} * width;
  return view;
}

size_t plain_bytes(codecs::CodecId id, const Rect& rect) {
  return id == codecs::CodecId::kRaw
             ? size_t{4} * static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height)
             : codecs::dxt_bytes(id, rect.width, rect.height);
}

// DXT and raw: strips of the frame's whole width.
class StripReader {
 public:
  StripReader(const EncodedFrame& frame, const StreamCodec& codec)
      : frame_(frame),
        codec_(codec),
        stage_(codecs::make_second_stage(codec.compression)),
        plain_(static_cast<size_t>(frame.grid().columns())),
        strip_(size_t{4} * kStripRows * static_cast<size_t>(frame.grid().frame_size().width)) {}

  // The rows of texel blocks, or their part within the frame, that source row y is in.
  codecs::ImageView read(int y) {
    const BlockGrid& grid = frame_.grid();
    const int row = y / grid.block_size().height;
    if (row != row_) take_row(row);
    const Rect first = grid.block_rect(0, row);
    const int top = (y - first.y) / kStripRows * kStripRows;
    const int rows = std::min(kStripRows, first.height - top);
    std::fill(strip_.begin(), strip_.end(), kGrey);
    for (int column = 0; column < grid.columns(); ++column) {
      const auto& bytes = plain_[static_cast<size_t>(column)];
      if (!bytes.empty()) decode(grid.block_rect(column, row), top, rows, bytes);
    }
    return bgra_view(strip_, grid.frame_size().width, rows);
  }

 private:
  // The row's blocks without their second stage.
  void take_row(int row) {
    row_ = row;
    for (int column = 0; column < frame_.grid().columns(); ++column) {
      auto& plain = plain_[static_cast<size_t>(column)];
      const auto block = block_of(frame_, column, row);
      plain.resize(plain_bytes(codec_.id, frame_.grid().block_rect(column, row)));
      if (block.size() == plain.size()) {
        std::copy(block.begin(), block.end(), plain.begin());
      } else if (block.empty() || !stage_ || !stage_->decompress(block, plain)) {
        plain.clear();
      }
    }
  }

  void decode(const Rect& rect, int top, int rows, const std::vector<uint8_t>& bytes) {
    const ptrdiff_t stride = ptrdiff_t{4} * frame_.grid().frame_size().width;
    uint8_t* const to = strip_.data() + ptrdiff_t{4} * rect.x;
    if (codec_.id != codecs::CodecId::kRaw) {
      codecs::dxt_decode(codec_.id, bytes.data(), rect.width, rect.height, 0, top, rect.width, rows,
                         {.pixels = to, .stride = stride}, cpu_);
      return;
    }
    for (int i = 0; i < rows; ++i) {
      std::copy_n(bytes.data() + ptrdiff_t{4} * rect.width * (top + i), 4 * rect.width,
                  to + stride * i);
    }
  }

  const EncodedFrame& frame_;
  const StreamCodec codec_;
  const codecs::CpuLevel cpu_ = codecs::detect_cpu();
  const std::unique_ptr<codecs::SecondStage> stage_;
  int row_ = -1;                             // of the blocks in plain_
  std::vector<std::vector<uint8_t>> plain_;  // empty: not known
  std::vector<uint8_t> strip_;
};

void sample_strips(const EncodedFrame& frame, const StreamCodec& codec, Size size,
                   std::span<uint8_t> rgb) {
  StripReader reader(frame, codec);
  const size_t row_bytes = size_t{3} * static_cast<size_t>(size.width);
  const int64_t height = frame.grid().frame_size().height;
  for (int row = 0; row < size.height; ++row) {
    const auto y = static_cast<int>((2 * row + 1) * height / (int64_t{2} * size.height));
    codecs::sample_to_rgb(reader.read(y), size.width, 1,
                          rgb.subspan(row_bytes * static_cast<size_t>(row), row_bytes));
  }
}

// JPEG 2000: the whole frame, reduced.
void sample_codestreams(const EncodedFrame& frame, const StreamCodec& codec, Size size,
                        std::span<uint8_t> rgb) {
  const BlockGrid& grid = frame.grid();
  const Size whole = grid.frame_size();
  int reduction = 0;
  const auto fits = [&](int halvings) {
    return codecs::reduced_side(whole.width, halvings) >= size.width &&
           codecs::reduced_side(whole.height, halvings) >= size.height;
  };
  while (reduction < codecs::kMaxReduction && fits(reduction + 1)) ++reduction;
  const Size reduced{codecs::reduced_side(whole.width, reduction),
                     codecs::reduced_side(whole.height, reduction)};
  const size_t stride = size_t{4} * static_cast<size_t>(reduced.width);
  std::vector<uint8_t> pixels(stride * static_cast<size_t>(reduced.height), kGrey);
  const auto decoder = codecs::make_j2k_decoder(codec.id);
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const auto block = block_of(frame, column, row);
      if (block.empty()) continue;
      const Rect rect = grid.block_rect(column, row);
      const int x = rect.x >> reduction;
      const int y = rect.y >> reduction;
      uint8_t* const to =
          pixels.data() + stride * static_cast<size_t>(y) + size_t{4} * static_cast<size_t>(x);
      // One that is unreadable stays grey.
      decoder->decode(block, {.width = rect.width,
                              .height = rect.height,
                              .reduction = reduction,
                              .color = frame.color(),
                              .frame_x = x,
                              .frame_y = y,
                              .pixels = {.pixels = to, .stride = static_cast<ptrdiff_t>(stride)}});
    }
  }
  codecs::sample_to_rgb(bgra_view(pixels, reduced.width, reduced.height), size.width, size.height,
                        rgb);
}

}  // namespace

void picture_from_blocks(const EncodedFrame& frame, const StreamCodec& codec, Size size,
                         std::span<uint8_t> rgb) {
  if (codecs::is_j2k(codec.id)) {
    sample_codestreams(frame, codec, size, rgb);
  } else {
    sample_strips(frame, codec, size, rgb);
  }
}

}  // namespace sail
