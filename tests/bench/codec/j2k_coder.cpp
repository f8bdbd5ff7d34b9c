#include "tests/bench/codec/j2k_coder.h"

#include "codecs/j2k/component_reader.h"
#include "codecs/j2k/j2k.h"

namespace bench {
namespace {

class OurCoder : public J2kCoder {
 public:
  OurCoder(codecs::CodecId codec, codecs::CpuLevel cpu, const codecs::ImageView& frame,
           uint8_t* bgra, J2kShown shown)
      : frame_(frame), bgra_(bgra), shown_(shown) {
    if (codec == codecs::CodecId::kHtj2k) {
      encoder_ = codecs::make_htj2k_encoder(cpu);
      decoder_ = codecs::make_htj2k_decoder(cpu);
    } else {
      encoder_ = codecs::make_j2k_encoder(codec);
      decoder_ = codecs::make_j2k_decoder(codec);
    }
  }

  size_t encode(const J2kBlock& block, float step, std::span<uint8_t> out) override {
    const codecs::J2kQuality quality{step == kLosslessStep, step};
    const auto prefix =
        encoder_->encode(frame_, block.x, block.y, block.width, block.height, quality, out);
    return prefix ? prefix->front() : 0;
  }
  bool decode(std::span<const uint8_t> bytes, const J2kBlock& block) override {
    const ptrdiff_t stride = ptrdiff_t{4} * frame_.width;
    codecs::J2kTarget target;
    target.width = block.width;
    target.height = block.height;
    target.color = codecs::color_of(frame_);
    target.frame_x = block.x;
    target.frame_y = block.y;
    if (shown_ == J2kShown::kHalved) target.reduction = 1;
    if (shown_ == J2kShown::kQuarter) target.part = {0, 0, block.width / 2, block.height / 2};
    target.pixels = {bgra_ + stride * block.y + ptrdiff_t{4} * block.x, stride};
    return decoder_->decode(bytes, target);
  }

 private:
  const codecs::ImageView& frame_;
  uint8_t* bgra_;
  J2kShown shown_;
  std::unique_ptr<codecs::J2kEncoder> encoder_;
  std::unique_ptr<codecs::J2kDecoder> decoder_;
};

}  // namespace

J2kSamples::J2kSamples(const codecs::ImageView& frame) {
  const codecs::ComponentReader reader(frame, 0, 0, frame.width, frame.height,
                                       codecs::detect_cpu());
  is_rgb = reader.is_rgb();
  step_x = reader.chroma_step_x();
  step_y = reader.chroma_step_y();
  for (int i = 0; i < 3; ++i) {
    widths[i] = reader.width(i);
    planes[i].resize(static_cast<size_t>(reader.width(i)) * static_cast<size_t>(reader.height(i)));
  }
  for (int y = 0; y < frame.height; ++y) {
    int32_t* lines[3];
    for (int i = 0; i < 3; ++i) lines[i] = planes[i].data() + ptrdiff_t{widths[i]} * y;
    if (is_rgb) {
      reader.read_rgb(y, lines);
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      if (y < reader.height(i)) reader.read(i, y, lines[i]);
    }
  }
}

const int32_t* J2kSamples::row(int component, const J2kBlock& block, int y) const {
  const int left = component == 0 ? block.x : block.x / step_x;
  const int top = component == 0 ? block.y : block.y / step_y;
  return planes[component].data() + ptrdiff_t{widths[component]} * (top + y) + left;
}

int J2kSamples::width(int component, const J2kBlock& block) const {
  return component == 0 ? block.width : (block.width + step_x - 1) / step_x;
}

int J2kSamples::height(int component, const J2kBlock& block) const {
  return component == 0 ? block.height : (block.height + step_y - 1) / step_y;
}

MakeJ2kCoder our_j2k_coder(codecs::CodecId codec, codecs::CpuLevel cpu,
                           const codecs::ImageView& frame, uint8_t* bgra, J2kShown shown) {
  return [=, &frame] { return std::make_unique<OurCoder>(codec, cpu, frame, bgra, shown); };
}

}  // namespace bench
