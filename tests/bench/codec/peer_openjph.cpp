// OpenJPH with our block parameters: samples in, samples out.
#include <openjph/ojph_arch.h>
#include <openjph/ojph_codestream.h>
#include <openjph/ojph_file.h>
#include <openjph/ojph_mem.h>
#include <openjph/ojph_params.h>

#include <cstring>

#include "tests/bench/codec/j2k_coder.h"

namespace bench {
namespace {

using ojph::ui32;

class OpenJphCoder : public J2kCoder {
 public:
  explicit OpenJphCoder(const J2kSamples& samples) : samples_(samples) {}

  size_t encode(const J2kBlock& block, float step, std::span<uint8_t> out) override {
    ojph::codestream codestream;
    auto siz = codestream.access_siz();
    siz.set_image_extent(
        ojph::point(static_cast<ui32>(block.width), static_cast<ui32>(block.height)));
    siz.set_num_components(3);
    for (ui32 i = 0; i < 3; ++i) {
      const ojph::point chroma(static_cast<ui32>(samples_.step_x),
                               static_cast<ui32>(samples_.step_y));
      siz.set_component(i, i == 0 ? ojph::point(1, 1) : chroma, 8, false);
    }
    auto cod = codestream.access_cod();
    cod.set_num_decomposition(5);
    cod.set_block_dims(64, 64);
    cod.set_progression_order("RPCL");
    cod.set_color_transform(samples_.is_rgb);
    cod.set_reversible(step == kLosslessStep);
    if (step != kLosslessStep) codestream.access_qcd().set_irrev_quant(step);
    codestream.set_planar(!samples_.is_rgb);
    ojph::mem_outfile file;
    file.open(out.size() / 4);
    codestream.write_headers(&file);
    push(codestream, block);
    codestream.flush();
    const auto bytes = static_cast<size_t>(file.tell());
    if (bytes > out.size()) return 0;
    std::memcpy(out.data(), file.get_data(), bytes);
    codestream.close();
    return bytes;
  }

  bool decode(std::span<const uint8_t> bytes, const J2kBlock& block) override {
    ojph::codestream codestream;
    ojph::mem_infile file;
    file.open(bytes.data(), bytes.size());
    codestream.read_headers(&file);
    codestream.set_planar(!samples_.is_rgb);
    codestream.create();
    ui32 component = 0;
    int lines = 0;
    for (int i = 0; i < 3; ++i) lines += samples_.height(i, block);
    while (lines-- > 0) codestream.pull(component);
    codestream.close();
    return true;
  }

 private:
  void push(ojph::codestream& codestream, const J2kBlock& block) {
    ui32 next = 0;
    ojph::line_buf* line = codestream.exchange(nullptr, next);
    const auto push_row = [&](int component, int row) {
      std::memcpy(line->i32, samples_.row(component, block, row),
                  static_cast<size_t>(samples_.width(component, block)) * sizeof(int32_t));
      line = codestream.exchange(line, next);
    };
    if (samples_.is_rgb) {
      for (int row = 0; row < block.height; ++row) {
        for (int i = 0; i < 3; ++i) push_row(i, row);
      }
      return;
    }
    for (int i = 0; i < 3; ++i) {
      for (int row = 0; row < samples_.height(i, block); ++row) push_row(i, row);
    }
  }

  const J2kSamples& samples_;
};

}  // namespace

MakeJ2kCoder openjph_alone(const J2kSamples& samples) {
  return [&samples] { return std::make_unique<OpenJphCoder>(samples); };
}

}  // namespace bench
