#include "tests/unit/codecs/htj2k/openjph_peer.h"

#include <openjph/ojph_arch.h>
#include <openjph/ojph_codestream.h>
#include <openjph/ojph_file.h>
#include <openjph/ojph_mem.h>
#include <openjph/ojph_message.h>
#include <openjph/ojph_params.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "codecs/base/cpu.h"
#include "codecs/j2k/component_planes.h"
#include "codecs/j2k/component_reader.h"
#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_header.h"

namespace codecs::test {
namespace {

constexpr int kLeastLossyRows = 3;

// OpenJPH reports to global message streams, and throws after errors. (Its configurable message
// objects do nothing in 0.9, and a null stream does not work there.)
void silence_openjph() {
  static std::FILE* const nowhere = [] {
    std::FILE* file = std::fopen("/dev/null", "w");
    if (file == nullptr) return file;
    ojph::set_info_stream(file);
    ojph::set_warning_stream(file);
    ojph::set_error_stream(file);
    return file;
  }();
  static_cast<void>(nowhere);
}

// An output file in memory of fixed size.
class Writer : public ojph::outfile_base {
 public:
  explicit Writer(std::span<uint8_t> out) : out_(out) {}

  size_t write(const void* bytes, size_t size) override {
    if (size > out_.size() - size_) throw std::length_error("block");
    std::memcpy(out_.data() + size_, bytes, size);
    size_ += size;
    return size;
  }
  ojph::si64 tell() override { return static_cast<ojph::si64>(size_); }
  size_t size() const { return size_; }

 private:
  std::span<uint8_t> out_;
  size_t size_ = 0;
};

// A codestream or a prefix of one. Adds EOC at the end if it is missing.
class Source : public ojph::infile_base {
 public:
  explicit Source(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  size_t read(void* to, size_t size) override {
    size_t done = 0;
    if (at_ < bytes_.size()) {
      done = std::min(size, bytes_.size() - at_);
      std::memcpy(to, bytes_.data() + at_, done);
      at_ += done;
    }
    for (; done < size && at_ < end(); ++done, ++at_) {
      static_cast<uint8_t*>(to)[done] = kEndOfCodestream[at_ - bytes_.size()];
    }
    return done;
  }
  // A seek beyond the end stops at the end, so that hostile lengths are harmless.
  int seek(ojph::si64 offset, enum infile_base::seek origin) override {
    auto to = offset;
    if (origin == OJPH_SEEK_CUR) to += static_cast<ojph::si64>(at_);
    if (origin == OJPH_SEEK_END) to += static_cast<ojph::si64>(end());
    at_ = static_cast<size_t>(std::clamp(to, ojph::si64{0}, static_cast<ojph::si64>(end())));
    return 0;
  }
  ojph::si64 tell() override { return static_cast<ojph::si64>(at_); }
  bool eof() override { return at_ >= end(); }

 private:
  size_t end() const { return bytes_.size() + sizeof(kEndOfCodestream); }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
};

// Resets an object; reuses its memory if the library can (since 0.13).
template <class Codestream>
Codestream& renewed(std::optional<Codestream>& codestream) {
  if constexpr (requires { codestream->restart(); }) {
    if (codestream) {
      codestream->restart();
      return *codestream;
    }
  }
  return codestream.emplace();
}

// OpenJPH 0.9 codes two rows wrongly in its lossy transform, so every level must start with at
// least three rows.
int levels_of(int levels, int rows, bool lossless) {
  while (!lossless && levels > 0 && reduced_side(rows, levels - 1) < kLeastLossyRows) --levels;
  return levels;
}

class Encoder : public J2kEncoder {
 public:
  explicit Encoder(OpenJphCoding coding) : cpu_(detect_cpu()), coding_(std::move(coding)) {
    silence_openjph();
  }

  std::optional<PrefixBytes> encode(const ImageView& frame, int x, int y, int width, int height,
                                    const J2kQuality& quality, std::span<uint8_t> out) override {
    try {
      const ComponentReader reader(frame, x, y, width, height, cpu_);
      Writer writer(out);
      auto& codestream = renewed(codestream_);
      describe(codestream, reader, quality);
      codestream.write_headers(&writer);
      push_all(codestream, reader);
      codestream.flush();
      return j2k_prefix_bytes(out.first(writer.size()));
    } catch (...) {  // the library throws several types
      codestream_.reset();
      return {};
    }
  }

 private:
  void describe(ojph::codestream& codestream, const ComponentReader& reader,
                const J2kQuality& quality) const {
    auto siz = codestream.access_siz();
    const auto side = [](int pixels) { return static_cast<ojph::ui32>(pixels); };
    siz.set_image_extent(ojph::point(side(reader.width(0)), side(reader.height(0))));
    // A reused object (0.32) keeps the tile size of the picture before.
    const bool tiled = coding_.tile_width > 0;
    siz.set_tile_size(ojph::size(side(tiled ? coding_.tile_width : reader.width(0)),
                                 side(tiled ? coding_.tile_height : reader.height(0))));
    siz.set_num_components(ComponentReader::kComponents);
    for (int i = 0; i < ComponentReader::kComponents; ++i) {
      const ojph::point step(side(i == 0 ? 1 : reader.chroma_step_x()),
                             side(i == 0 ? 1 : reader.chroma_step_y()));
      siz.set_component(side(i), step, side(reader.bits()), false);
    }
    auto cod = codestream.access_cod();
    cod.set_num_decomposition(side(levels_of(coding_.levels, reader.height(1), quality.lossless)));
    cod.set_block_dims(side(coding_.block_width), side(coding_.block_height));
    std::vector<ojph::size> precincts;
    for (const auto& [width, height] : coding_.precincts)
      precincts.emplace_back(side(width), side(height));
    if (!precincts.empty())
      cod.set_precinct_size(static_cast<int>(precincts.size()), precincts.data());
    cod.set_progression_order(coding_.order);
    cod.set_color_transform(reader.is_rgb());
    cod.set_reversible(quality.lossless);
    if (!quality.lossless) codestream.access_qcd().set_irrev_quant(quality.step);
    codestream.set_planar(!reader.is_rgb());
  }

  void push_all(ojph::codestream& codestream, const ComponentReader& reader) {
    ojph::ui32 next = 0;
    ojph::line_buf* line = codestream.exchange(nullptr, next);
    if (!reader.is_rgb()) {
      for (int component = 0; component < ComponentReader::kComponents; ++component) {
        for (int row = 0; row < reader.height(component); ++row) {
          reader.read(component, row, line->i32);
          line = codestream.exchange(line, next);
        }
      }
      return;
    }
    const auto width = static_cast<size_t>(reader.width(0));
    for (auto& later : later_) {
      if (later.size() < width) later.resize(width);
    }
    for (int row = 0; row < reader.height(0); ++row) {
      int32_t* const lines[] = {line->i32, later_[0].data(), later_[1].data()};
      reader.read_rgb(row, lines);
      line = codestream.exchange(line, next);
      for (const auto& later : later_) {
        std::memcpy(line->i32, later.data(), width * sizeof(int32_t));
        line = codestream.exchange(line, next);
      }
    }
  }

  CpuLevel cpu_;
  const OpenJphCoding coding_;
  std::optional<ojph::codestream> codestream_;
  std::vector<int32_t> later_[2];  // green and blue, kept until the library asks for them
};

class Decoder : public J2kDecoder {
 public:
  Decoder() : planes_(detect_cpu()) { silence_openjph(); }

  bool decode(std::span<const uint8_t> bytes, const J2kTarget& target) override {
    const auto header = read_j2k_main_header(bytes);
    if (!header || !is_wanted(*header, target)) return false;
    try {
      if (!planes_.begin(header->shape, target)) return false;
      Source source(bytes);
      auto& codestream = renewed(codestream_);
      codestream.read_headers(&source);
      const auto reduction = static_cast<ojph::ui32>(target.reduction);
      codestream.restrict_input_resolution(reduction, reduction);
      codestream.set_planar(!is_interleaved(header->shape));
      codestream.create();
      if (!pull_all(codestream, header->shape)) return false;
      codestream.close();
    } catch (...) {  // the library throws several types
      codestream_.reset();
      return false;
    }
    planes_.show(target);
    return true;
  }

 private:
  static bool is_wanted(const J2kMainHeader& header, const J2kTarget& target) {
    const J2kHeader& shape = header.shape;
    return shape.high_throughput && shape.width == target.width && shape.height == target.height &&
           target.reduction >= 0 && target.reduction <= std::min(kMaxReduction, shape.levels);
  }

  bool is_interleaved(const J2kHeader& shape) const {
    return shape.color_transform || planes_.wants_rgb();
  }

  bool pull_all(ojph::codestream& codestream, const J2kHeader& shape) {
    const int shown = shape.components >= 3 ? 3 : 1;
    if (!is_interleaved(shape)) {
      for (int component = 0; component < shown; ++component) {
        for (int row = 0; row < planes_.area(component).height(); ++row) {
          if (!pull(codestream, component, row)) return false;
        }
      }
      return true;
    }
    for (int row = 0; row < planes_.area(0).height(); ++row) {
      if (!pull_row(codestream, shape.components, row)) return false;
    }
    return true;
  }

  // Pulls a row of each component. The library keeps a separate line for each, so all three stay
  // valid.
  bool pull_row(ojph::codestream& codestream, int components, int row) {
    const int32_t* lines[ComponentReader::kComponents] = {};
    for (int component = 0; component < components; ++component) {
      const int32_t* line = pull_line(codestream, component);
      if (line == nullptr) return false;
      if (component >= ComponentReader::kComponents) continue;  // alpha
      lines[component] = line;
      if (!planes_.wants_rgb())
        planes_.put(component, 0, row, planes_.area(component).width(), line);
    }
    if (planes_.wants_rgb()) planes_.put_rgb(0, row, planes_.area(0).width(), lines);
    return true;
  }

  bool pull(ojph::codestream& codestream, int component, int row) {
    const int32_t* line = pull_line(codestream, component);
    if (line != nullptr) planes_.put(component, 0, row, planes_.area(component).width(), line);
    return line != nullptr;
  }

  const int32_t* pull_line(ojph::codestream& codestream, int component) const {
    ojph::ui32 given = 0;
    const ojph::line_buf* line = codestream.pull(given);
    if (line == nullptr || given != static_cast<ojph::ui32>(component)) return nullptr;
    const bool shown = component < ComponentReader::kComponents;
    if (shown && line->size < static_cast<size_t>(planes_.area(component).width())) return nullptr;
    return line->i32;
  }

  ComponentPlanes planes_;
  std::optional<ojph::codestream> codestream_;
};

}  // namespace

std::unique_ptr<J2kEncoder> make_openjph_encoder(OpenJphCoding coding) {
  return std::make_unique<Encoder>(std::move(coding));
}
std::unique_ptr<J2kDecoder> make_openjph_decoder() {
  return std::make_unique<Decoder>();
}

}  // namespace codecs::test
