#include "codecs/picture/block_picture.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "codecs/color/reduce.h"
#include "codecs/dxt/dxt.h"
#include "codecs/j2k/j2k.h"
#include "codecs/picture/sampled_picture.h"
#include "codecs/picture/second_stage.h"

namespace codecs {
namespace {

constexpr uint8_t kGrey = 48;  // for missing blocks
constexpr int kStripRows = kTexelBlock;

struct BlockRect {
  int x = 0;  // pixels of the picture
  int y = 0;
  int width = 0;
  int height = 0;
};

int columns_of(const BlockedPicture& picture) {
  return (picture.width + picture.block_width - 1) / picture.block_width;
}

int rows_of(const BlockedPicture& picture) {
  return (picture.height + picture.block_height - 1) / picture.block_height;
}

BlockRect block_rect(const BlockedPicture& picture, int column, int row) {
  const int x = column * picture.block_width;
  const int y = row * picture.block_height;
  return {x, y, std::min(picture.block_width, picture.width - x),
          std::min(picture.block_height, picture.height - y)};
}

ImageView bgra_view(const std::vector<uint8_t>& pixels, int width, int height) {
  ImageView view;
  view.width = width;
  view.height = height;
  view.planes[0] = pixels.data();
  view.strides[0] = ptrdiff_t{4} * width;
  return view;
}

size_t plain_bytes(CodecId id, const BlockRect& rect) {
  return id == CodecId::kRaw
             ? size_t{4} * static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height)
             : dxt_bytes(id, rect.width, rect.height);
}

// DXT and raw: reads strips as wide as the picture.
class StripReader {
 public:
  explicit StripReader(const BlockedPicture& picture)
      : picture_(picture),
        stage_(make_second_stage(picture.compression)),
        plain_(static_cast<size_t>(columns_of(picture))),
        strip_(size_t{4} * kStripRows * static_cast<size_t>(picture.width)) {}

  // Returns the source rows from `from` to before `to` that lie in the same row of texel blocks as
  // the middle row; at least one.
  ImageView read(int from, int to) {
    const int middle = (from + to) / 2;
    const int row = middle / picture_.block_height;
    if (row != row_) take_row(row);
    const BlockRect first = block_rect(picture_, 0, row);
    const int top = (middle - first.y) / kStripRows * kStripRows;
    const int rows = std::min(kStripRows, first.height - top);
    std::fill(strip_.begin(), strip_.end(), kGrey);
    for (int column = 0; column < columns_of(picture_); ++column) {
      const auto& bytes = plain_[static_cast<size_t>(column)];
      if (!bytes.empty()) decode(block_rect(picture_, column, row), top, rows, bytes);
    }
    ImageView view = bgra_view(strip_, picture_.width, rows);
    const int above = std::max(from - first.y - top, 0);
    view.planes[0] += view.strides[0] * above;
    view.height = std::min(to - first.y - top, rows) - above;
    return view;
  }

 private:
  // Loads the row's blocks and undoes their second stage.
  void take_row(int row) {
    row_ = row;
    for (int column = 0; column < columns_of(picture_); ++column) {
      auto& plain = plain_[static_cast<size_t>(column)];
      const auto block = picture_.block(column, row);
      plain.resize(plain_bytes(picture_.codec, block_rect(picture_, column, row)));
      if (block.size() == plain.size()) {
        std::copy(block.begin(), block.end(), plain.begin());
      } else if (block.empty() || !stage_ || !stage_->decompress(block, plain)) {
        plain.clear();
      }
    }
  }

  void decode(const BlockRect& rect, int top, int rows, const std::vector<uint8_t>& bytes) {
    const ptrdiff_t stride = ptrdiff_t{4} * picture_.width;
    uint8_t* const to = strip_.data() + ptrdiff_t{4} * rect.x;
    if (picture_.codec != CodecId::kRaw) {
      dxt_decode(picture_.codec, bytes.data(), rect.width, rect.height, 0, top, rect.width, rows,
                 {.pixels = to, .stride = stride}, cpu_);
      return;
    }
    for (int i = 0; i < rows; ++i) {
      std::copy_n(bytes.data() + ptrdiff_t{4} * rect.width * (top + i), 4 * rect.width,
                  to + stride * i);
    }
  }

  const BlockedPicture& picture_;
  const CpuLevel cpu_ = detect_cpu();
  const std::unique_ptr<SecondStage> stage_;
  int row_ = -1;                             // row of the blocks in plain_
  std::vector<std::vector<uint8_t>> plain_;  // empty: missing
  std::vector<uint8_t> strip_;
};

void sample_strips(const BlockedPicture& picture, int width, int height, std::span<uint8_t> rgb) {
  StripReader reader(picture);
  const size_t row_bytes = size_t{3} * static_cast<size_t>(width);
  const auto source_row = [&](int row) {
    return static_cast<int>(int64_t{row} * picture.height / height);
  };
  for (int row = 0; row < height; ++row) {
    sample_to_rgb(reader.read(source_row(row), source_row(row + 1)), width, 1,
                  rgb.subspan(row_bytes * static_cast<size_t>(row), row_bytes));
  }
}

// JPEG 2000: decodes the whole picture at reduced size.
void sample_codestreams(const BlockedPicture& picture, int width, int height,
                        std::span<uint8_t> rgb) {
  int reduction = 0;
  const auto fits = [&](int halvings) {
    return reduced_side(picture.width, halvings) >= width &&
           reduced_side(picture.height, halvings) >= height;
  };
  while (reduction < kMaxReduction && fits(reduction + 1)) ++reduction;
  const int reduced_width = reduced_side(picture.width, reduction);
  const int reduced_height = reduced_side(picture.height, reduction);
  const size_t stride = size_t{4} * static_cast<size_t>(reduced_width);
  std::vector<uint8_t> pixels(stride * static_cast<size_t>(reduced_height), kGrey);
  const auto decoder = make_j2k_decoder(picture.codec);
  for (int row = 0; row < rows_of(picture); ++row) {
    for (int column = 0; column < columns_of(picture); ++column) {
      const auto block = picture.block(column, row);
      if (block.empty()) continue;
      const BlockRect rect = block_rect(picture, column, row);
      const int x = rect.x >> reduction;
      const int y = rect.y >> reduction;
      uint8_t* const to =
          pixels.data() + stride * static_cast<size_t>(y) + size_t{4} * static_cast<size_t>(x);
      // An unreadable block stays grey.
      decoder->decode(block, {.width = rect.width,
                              .height = rect.height,
                              .reduction = reduction,
                              .color = picture.color,
                              .frame_x = x,
                              .frame_y = y,
                              .pixels = {.pixels = to, .stride = static_cast<ptrdiff_t>(stride)}});
    }
  }
  sample_to_rgb(bgra_view(pixels, reduced_width, reduced_height), width, height, rgb);
}

}  // namespace

void sample_blocks(const BlockedPicture& picture, int width, int height, std::span<uint8_t> rgb) {
  if (is_j2k(picture.codec)) {
    sample_codestreams(picture, width, height, rgb);
  } else {
    sample_strips(picture, width, height, rgb);
  }
}

}  // namespace codecs
