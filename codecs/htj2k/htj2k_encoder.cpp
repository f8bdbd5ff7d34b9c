// Encoder of high-throughput JPEG 2000: rows of a picture to components, components to coded
// blocks, blocks to a codestream.
#include <optional>
#include <variant>

#include "codecs/htj2k/htj2k_component_encoder.h"
#include "codecs/htj2k/htj2k_packets.h"
#include "codecs/htj2k/wavelet_rows.h"
#include "codecs/j2k/component_reader.h"
#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_header.h"
#include "codecs/simd/kernels.h"

namespace codecs {
namespace {

constexpr int kComponents = ComponentReader::kComponents;
constexpr int kRowsAhead = 3;  // prefetch distance

// Bands of 16-bit samples are several times faster. For pictures of 8 to 10 bits the exponent is
// limited so that 16 bits suffice; only the smallest bands become slightly coarser than `step`,
// which is invisible.
int most_exponent(int bits) {
  constexpr int kMostBits = 10, kMostOfAny = 30;
  return bits <= kMostBits ? kHtMostPlanes16 + 1 - kGuardBits : kMostOfAny;
}

void set_quantisers(const J2kQuality& quality, Htj2kPicture& picture) {
  picture.quantisers.assign(static_cast<size_t>(picture.levels) + 1, {});
  for (int resolution = 0; resolution <= picture.levels; ++resolution) {
    const int level = picture.levels - std::max(resolution - 1, 0);
    for (const BandKind kind : {kLowLow, kHighLow, kLowHigh, kHighHigh}) {
      if ((kind == kLowLow) != (resolution == 0)) continue;
      picture.quantisers[static_cast<size_t>(resolution)][kind] =
          quality.lossless
              ? lossless_quantiser(picture.bits, picture.color_transform, level, kind)
              : lossy_quantiser(quality.step, level, kind, most_exponent(picture.bits));
    }
  }
}

int most_planes(const Htj2kPicture& picture) {
  int planes = 0;
  for (const auto& bands : picture.quantisers) {
    for (const BandQuantiser& band : bands)
      planes = std::max(planes, band_planes(band, kGuardBits));
  }
  return planes;
}

// Encodes the three components of a picture for one type of samples and one of quantised samples.
template <class Sample, class Quantised>
class PictureEncoder {
 public:
  explicit PictureEncoder(const KernelSet& kernels)
      : color_(kernels.transform->color),
        components_{ComponentEncoder<Sample, Quantised>(kernels),
                    ComponentEncoder<Sample, Quantised>(kernels),
                    ComponentEncoder<Sample, Quantised>(kernels)} {}

  void encode(const ComponentReader& reader, const Htj2kPicture& picture,
              CodedResolutions (&coded)[kComponents], CodedBytes& bytes) {
    for (int i = 0; i < kComponents; ++i) {
      components_[i].begin(reader.width(i), reader.height(i), picture, coded[i]);
      const size_t width = row_half_size(reader.width(i)) + size_t{kRowStep};
      if (lines_[i].size() < width) lines_[i].resize(width);
      if (rows_[i].size() < width) rows_[i].resize(width);
    }
    if (reader.is_rgb()) return encode_rgb(reader, picture, bytes);
    for (int i = 0; i < kComponents; ++i) {
      for (int row = 0; row < reader.height(i); ++row) {
        reader.prefetch(i, row + kRowsAhead);
        if (push_plain(reader, i, row, picture, bytes)) continue;
        reader.read(i, row, lines_[i].data());
        components_[i].push(shifted(i, reader.width(i), picture), bytes);
      }
    }
  }

 private:
  static int32_t middle_of(const Htj2kPicture& picture) { return 1 << (picture.bits - 1); }

  const Sample* shifted(int component, int width, const Htj2kPicture& picture) {
    const int32_t middle = middle_of(picture);
    int32_t* const line = lines_[component].data();
    if constexpr (std::is_same_v<Sample, float>) {
      color_.to_float(line, padded_count(width), static_cast<float>(middle),
                      rows_[component].data());
      return rows_[component].data();
    } else {
      color_.shift_level(line, padded_count(width), middle);
      return line;
    }
  }

  // Converts directly to row halves if the format allows it. The last sample of an odd row is
  // converted separately.
  bool push_plain(const ComponentReader& reader, int component, int row,
                  const Htj2kPicture& picture, CodedBytes& bytes) {
    if constexpr (std::is_same_v<Sample, float>) {
      const uint8_t* const samples = reader.plain_samples(component, row);
      if (samples == nullptr) return false;
      const auto middle = static_cast<float>(middle_of(picture));
      const int width = reader.width(component);
      const RowHalves<float> to = components_[component].next();
      color_.bytes_to_halves(samples, width / 2, middle, to.even, to.odd);
      if (width % 2 != 0) to.even[width / 2] = static_cast<float>(samples[width - 1]) - middle;
      components_[component].push_next(bytes);
      return true;
    } else {
      return false;
    }
  }
  bool push_packed(const ComponentReader& reader, int row, CodedBytes& bytes) {
    if constexpr (std::is_same_v<Sample, float>) {
      const uint8_t* const pixels = reader.packed_pixels(row);
      if (pixels == nullptr) return false;
      constexpr float kMiddle = 128;
      FloatHalves to{};
      for (int i = 0; i < kComponents; ++i) {
        const RowHalves<float> halves = components_[i].next();
        to.even[i] = halves.even;
        to.odd[i] = halves.odd;
      }
      const auto convert = reader.is_bgra() ? color_.bgra_to_halves : color_.rgba_to_halves;
      const int pairs = reader.width(0) / 2;
      convert(pixels, pairs, kMiddle, to);
      if (reader.width(0) % 2 != 0) {
        uint8_t last[8] = {};
        std::copy_n(pixels + ptrdiff_t{8} * pairs, 4, last);
        for (int i = 0; i < kComponents; ++i) to.even[i] += pairs;
        convert(last, 1, kMiddle, to);
      }
      for (int i = 0; i < kComponents; ++i) components_[i].push_next(bytes);
      return true;
    } else {
      return false;
    }
  }

  void encode_rgb(const ComponentReader& reader, const Htj2kPicture& picture, CodedBytes& bytes) {
    int32_t* const lines[] = {lines_[0].data(), lines_[1].data(), lines_[2].data()};
    const int32_t middle = middle_of(picture);
    for (int row = 0; row < reader.height(0); ++row) {
      reader.prefetch(0, row + kRowsAhead);
      if (push_packed(reader, row, bytes)) continue;
      reader.read_rgb(row, lines);
      if constexpr (std::is_same_v<Sample, float>) {
        float* const rows[] = {rows_[0].data(), rows_[1].data(), rows_[2].data()};
        color_.forward_irreversible(lines, padded_count(reader.width(0)),
                                    static_cast<float>(middle), rows);
        for (int i = 0; i < kComponents; ++i) components_[i].push(rows[i], bytes);
      } else {
        color_.forward_reversible(lines, padded_count(reader.width(0)), middle);
        for (int i = 0; i < kComponents; ++i) components_[i].push(lines[i], bytes);
      }
    }
  }

  const ColorKernels& color_;
  ComponentEncoder<Sample, Quantised> components_[kComponents];
  AlignedVector<int32_t> lines_[kComponents];
  AlignedVector<Sample> rows_[kComponents];
};

class Htj2kEncoder : public J2kEncoder {
 public:
  Htj2kEncoder(CpuLevel cpu, const KernelSet& kernels) : cpu_(cpu), kernels_(kernels) {}

  std::optional<PrefixBytes> encode(const ImageView& frame, int x, int y, int width, int height,
                                    const J2kQuality& quality, std::span<uint8_t> out) override {
    const ComponentReader reader(frame, x, y, width, height, cpu_);
    picture_ = {.width = width,
                .height = height,
                .bits = reader.bits(),
                .chroma_step_x = reader.chroma_step_x(),
                .chroma_step_y = reader.chroma_step_y(),
                .color_transform = reader.is_rgb(),
                .reversible = quality.lossless,
                .levels = kJ2kLevels,
                .quantisers = std::move(picture_.quantisers)};
    set_quantisers(quality, picture_);
    bytes_.clear();
    const bool small = most_planes(picture_) <= kHtMostPlanes16;
    if (quality.lossless) {
      small ? encode_by(lossless16_, reader) : encode_by(lossless32_, reader);
    } else {
      small ? encode_by(lossy16_, reader) : encode_by(lossy32_, reader);
    }
    return write(out);
  }

 private:
  template <class By>
  void encode_by(std::optional<By>& by, const ComponentReader& reader) {
    if (!by) by.emplace(kernels_);
    by->encode(reader, picture_, coded_, bytes_);
  }

  std::optional<PrefixBytes> write(std::span<uint8_t> out) {
    Htj2kWriter writer(out, nodes_);
    writer.write_main_header(picture_);
    const int parts = picture_.levels + 1;
    for (int i = 0; i < parts; ++i) {
      writer.begin_tile_part(i, parts);
      for (const CodedResolutions& component : coded_) {
        const auto& bands = component[static_cast<size_t>(i)];
        const PacketBands all(bands);
        writer.write_packet(i == 0 ? all.first(1) : all.last(3), bytes_.bytes());
      }
      writer.end_tile_part();
    }
    const auto size = writer.finish();
    if (!size) return {};
    return j2k_prefix_bytes(out.first(*size));
  }

  CpuLevel cpu_;
  const KernelSet& kernels_;
  Htj2kPicture picture_;
  std::optional<PictureEncoder<float, int16_t>> lossy16_;
  std::optional<PictureEncoder<float, int32_t>> lossy32_;
  std::optional<PictureEncoder<int32_t, int16_t>> lossless16_;
  std::optional<PictureEncoder<int32_t, int32_t>> lossless32_;
  CodedResolutions coded_[kComponents];
  CodedBytes bytes_;
  std::vector<uint8_t> nodes_;
};

}  // namespace

std::unique_ptr<J2kEncoder> make_htj2k_encoder(CpuLevel cpu) {
  return make_htj2k_encoder(cpu, kernels_for(cpu));
}
std::unique_ptr<J2kEncoder> make_htj2k_encoder(CpuLevel cpu, const KernelSet& kernels) {
  return std::make_unique<Htj2kEncoder>(cpu, kernels);
}

}  // namespace codecs
