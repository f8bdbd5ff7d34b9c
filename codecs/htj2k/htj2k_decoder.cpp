// Decoder of high-throughput JPEG 2000: packets to coded blocks, blocks to rows of components, and
// rows to pixels.
#include <algorithm>
#include <optional>

#include "codecs/htj2k/htj2k_component_decoder.h"
#include "codecs/htj2k/htj2k_packet_reader.h"
#include "codecs/htj2k/htj2k_tile_headers.h"
#include "codecs/htj2k/wavelet_rows.h"
#include "codecs/j2k/component_planes.h"
#include "codecs/j2k/component_reader.h"
#include "codecs/j2k/j2k.h"
#include "codecs/simd/kernels.h"

namespace codecs {
namespace {

constexpr int kMostShown = 3;  // components; others are ignored

// The wanted area of a tile's component.
Area wanted_of(const Htj2kTile& tile, int component, int reduction, const ComponentPlanes& planes) {
  const Area& all = tile.resolution(component, tile.levels(component) - reduction).area;
  return common_area(all, planes.area(component));
}

// Decodes the shown components of a tile for one type of samples and one of halves.
template <class Sample, class Halves>
class TileDecoder {
 public:
  explicit TileDecoder(const KernelSet& kernels)
      : color_(kernels.transform->color),
        components_{ComponentDecoder<Sample, Halves>(kernels),
                    ComponentDecoder<Sample, Halves>(kernels),
                    ComponentDecoder<Sample, Halves>(kernels)} {}

  // Decodes the areas that the planes want; false if a code-block is invalid.
  bool decode(Htj2kTile& tile, int reduction, ComponentPlanes& planes) {
    const J2kHeader& shape = tile.header().shape;
    const bool transform = tile.coding().color_transform();
    const int shown = shape.shown_components();
    middle_ = 1 << (shape.bits - 1);
    Area wanted[kMostShown];
    for (int i = 0; i < shown; ++i) {
      wanted[i] = wanted_of(tile, i, reduction, planes);
      if (wanted[i].is_empty()) continue;
      components_[i].begin(tile, i, reduction, wanted[i]);
      const size_t width = row_half_size(wanted[i].width());
      if (lines_[i].size() < width) lines_[i].resize(width);
    }
    if (transform || planes.wants_rgb()) {
      return decode_together(wanted[0], shown, transform, planes);
    }
    for (int i = 0; i < shown; ++i) {
      if (!decode_alone(i, wanted[i], planes)) return false;
    }
    return true;
  }

 private:
  // Whether the output is made directly from row halves.
  bool goes_straight(int component) const {
    return std::is_same_v<Sample, float> && components_[component].has_halves();
  }
  bool decode_bytes(int component, int width, uint8_t* to) {
    if constexpr (std::is_same_v<Sample, float>) {
      const RowHalves<float> row = components_[component].next_halves();
      if (row.even == nullptr) return false;
      const auto middle = static_cast<float>(middle_);
      const int pairs = width / 2;
      color_.halves_to_bytes(row.even, row.odd, pairs, middle, to);
      if (width % 2 == 0) return true;
      uint8_t last[2];
      color_.halves_to_bytes(row.even + pairs, row.odd + pairs, 1, middle, last);
      to[width - 1] = last[0];
    }
    return true;
  }
  bool decode_pixels(int width, uint8_t* to) {
    if constexpr (std::is_same_v<Sample, float>) {
      FloatHalves rows{};
      for (int i = 0; i < kMostShown; ++i) {
        const RowHalves<float> row = components_[i].next_halves();
        if (row.even == nullptr) return false;
        rows.even[i] = row.even;
        rows.odd[i] = row.odd;
      }
      const auto middle = static_cast<float>(middle_);
      const int pairs = width / 2;
      color_.halves_to_bgra(rows, pairs, middle, to);
      if (width % 2 == 0) return true;
      for (int i = 0; i < kMostShown; ++i) {
        rows.even[i] += pairs;
        rows.odd[i] += pairs;
      }
      uint8_t last[8];
      color_.halves_to_bgra(rows, 1, middle, last);
      std::copy_n(last, 4, to + ptrdiff_t{8} * pairs);
    }
    return true;
  }

  bool decode_alone(int component, const Area& area, ComponentPlanes& planes) {
    if (area.is_empty()) return true;
    for (int y = area.y0; y < area.y1; ++y) {
      if (uint8_t* const to = planes.byte_row(component, area.x0, y);
          to != nullptr && goes_straight(component)) {
        if (!decode_bytes(component, area.width(), to)) return false;
        continue;
      }
      const Sample* const row = components_[component].next_row();
      if (row == nullptr) return false;
      add_level(row, area.width(), component);
      planes.put(component, area.x0, y, area.width(), lines_[component].data());
    }
    return true;
  }
  bool decode_together(const Area& area, int shown, bool transform, ComponentPlanes& planes) {
    if (area.is_empty()) return true;
    const int width = area.width();
    for (int y = area.y0; y < area.y1; ++y) {
      if (transform && planes.wants_rgb() && goes_straight(0)) {
        if (!decode_pixels(width, planes.rgb_row(area.x0, y))) return false;
        continue;
      }
      const Sample* rows[kMostShown] = {};
      for (int i = 0; i < shown; ++i) {
        rows[i] = components_[i].next_row();
        if (rows[i] == nullptr) return false;
        if (!transform) add_level(rows[i], width, i);
      }
      if (transform) untransform(rows, width);
      const int32_t* const lines[] = {lines_[0].data(), lines_[1].data(), lines_[2].data()};
      if (planes.wants_rgb()) {
        planes.put_rgb(area.x0, y, width, lines);
        continue;
      }
      for (int i = 0; i < shown; ++i) planes.put(i, area.x0, y, width, lines[i]);
    }
    return true;
  }
  void add_level(const Sample* row, int width, int component) {
    int32_t* const line = lines_[component].data();
    if constexpr (std::is_same_v<Sample, float>) {
      color_.round(row, padded_count(width), static_cast<float>(middle_), line);
    } else {
      color_.add_level(row, padded_count(width), middle_, line);
    }
  }
  void untransform(const Sample* const rows[kMostShown], int width) {
    int32_t* const lines[] = {lines_[0].data(), lines_[1].data(), lines_[2].data()};
    if constexpr (std::is_same_v<Sample, float>) {
      color_.inverse_irreversible(rows, padded_count(width), static_cast<float>(middle_), lines);
    } else {
      color_.inverse_reversible(rows, padded_count(width), middle_, lines);
    }
  }

  const ColorKernels& color_;
  ComponentDecoder<Sample, Halves> components_[kMostShown];
  AlignedVector<int32_t> lines_[kMostShown];
  int32_t middle_ = 0;
};

class Htj2kDecoder : public J2kDecoder {
 public:
  Htj2kDecoder(CpuLevel cpu, const KernelSet& kernels) : kernels_(kernels), planes_(cpu) {}

  bool decode(std::span<const uint8_t> codestream, const J2kTarget& target) override {
    const auto read = read_j2k_main_header(codestream);
    if (!read || !read->shape.high_throughput) return false;
    if (!is_j2k_target_valid(read->shape, target)) return false;
    const J2kMainHeader& header = *read;
    if (!are_j2k_tile_parts_valid(codestream, header, target.reduction)) return false;
    if (!planes_.begin(header.shape, target)) return false;
    find_tile_parts(codestream, header);
    if (!tile_headers_.begin(codestream, header)) return false;
    size_t first = 0;
    for (int tile = 0; tile < header.tiles; ++tile) {
      const size_t begin = first;
      while (first < parts_.size() && parts_[first].tile == tile) ++first;
      const auto parts = std::span(parts_).subspan(begin, first - begin);
      if (!tile_headers_.read(parts)) return false;
      const J2kCoding& coding = tile_headers_.coding();
      if (target.reduction > coding.least_levels(header.shape.components)) return false;
      tile_.begin(header, coding, tile);
      if (!is_tile_wanted(target.reduction)) continue;
      const TilePackets packets{codestream, parts, tile_headers_.packet_headers()};
      if (!packets_.read(packets, tile_, target.reduction)) return false;
      if (!decode_tile(target.reduction)) return false;
    }
    planes_.show(target);
    return true;
  }

 private:
  bool is_tile_wanted(int reduction) const {
    for (int i = 0; i < tile_.header().shape.shown_components(); ++i) {
      if (!wanted_of(tile_, i, reduction, planes_).is_empty()) return true;
    }
    return false;
  }

  // Collects the tile-parts, sorted by tile.
  void find_tile_parts(std::span<const uint8_t> codestream, const J2kMainHeader& header) {
    parts_.clear();
    size_t at = header.bytes;
    while (const auto part = read_j2k_tile_part(codestream, at)) {
      parts_.push_back(*part);
      parts_.back().place = parts_.size() - 1;
      at = part->end;
    }
    const auto by_tile = [](const J2kTilePart& one, const J2kTilePart& other) {
      return one.tile != other.tile ? one.tile < other.tile : one.index < other.index;
    };
    if (!std::is_sorted(parts_.begin(), parts_.end(), by_tile)) {
      std::sort(parts_.begin(), parts_.end(), by_tile);
    }
  }

  int most_planes() const {
    const J2kCoding& coding = tile_.coding();
    int planes = 0;
    const int shown = tile_.header().shape.shown_components();
    for (int i = 0; i < shown; ++i) {
      planes = std::max(planes, coding.planes(i, 0, kLowLow));
      for (int r = 1; r <= tile_.levels(i); ++r) {
        for (const BandKind kind : {kHighLow, kLowHigh, kHighHigh}) {
          planes = std::max(planes, coding.planes(i, r, kind));
        }
      }
    }
    return planes;
  }

  bool decode_tile(int reduction) {
    const int planes = most_planes();
    if (planes > kHtMostPlanes32) return false;
    const bool small = planes <= kHtMostPlanes16;
    if (tile_.coding().component(0).reversible) {
      return small ? decode_by(lossless16_, reduction) : decode_by(lossless32_, reduction);
    }
    return small ? decode_by(lossy16_, reduction) : decode_by(lossy32_, reduction);
  }
  template <class By>
  bool decode_by(std::optional<By>& by, int reduction) {
    if (!by) by.emplace(kernels_);
    return by->decode(tile_, reduction, planes_);
  }

  const KernelSet& kernels_;
  ComponentPlanes planes_;
  std::vector<J2kTilePart> parts_;
  Htj2kTileHeaders tile_headers_;
  Htj2kTile tile_;
  Htj2kPacketReader packets_;
  std::optional<TileDecoder<float, int16_t>> lossy16_;
  std::optional<TileDecoder<float, int32_t>> lossy32_;
  std::optional<TileDecoder<int32_t, int16_t>> lossless16_;
  std::optional<TileDecoder<int32_t, int32_t>> lossless32_;
};

}  // namespace

std::unique_ptr<J2kDecoder> make_htj2k_decoder(CpuLevel cpu) {
  return make_htj2k_decoder(cpu, kernels_for(cpu));
}
std::unique_ptr<J2kDecoder> make_htj2k_decoder(CpuLevel cpu, const KernelSet& kernels) {
  return std::make_unique<Htj2kDecoder>(cpu, kernels);
}

}  // namespace codecs
