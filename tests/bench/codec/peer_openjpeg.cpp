// OpenJPEG with our block parameters: samples in, samples out.
#include <openjpeg.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/bench/codec/j2k_coder.h"

namespace bench {
namespace {

struct Memory {
  uint8_t* bytes;
  size_t size;
  size_t at = 0;
};

OPJ_SIZE_T write_bytes(void* from, OPJ_SIZE_T size, void* user) {
  auto& memory = *static_cast<Memory*>(user);
  if (size > memory.size - memory.at) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(memory.bytes + memory.at, from, size);
  memory.at += size;
  return size;
}
OPJ_SIZE_T read_bytes(void* to, OPJ_SIZE_T size, void* user) {
  auto& memory = *static_cast<Memory*>(user);
  const size_t count = std::min<size_t>(size, memory.size - memory.at);
  if (count == 0) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(to, memory.bytes + memory.at, count);
  memory.at += count;
  return count;
}
OPJ_BOOL seek_bytes(OPJ_OFF_T to, void* user) {
  auto& memory = *static_cast<Memory*>(user);
  memory.at = static_cast<size_t>(to);
  return memory.at <= memory.size ? OPJ_TRUE : OPJ_FALSE;
}
OPJ_OFF_T skip_bytes(OPJ_OFF_T count, void* user) {
  return seek_bytes(static_cast<OPJ_OFF_T>(static_cast<Memory*>(user)->at) + count, user) ==
                 OPJ_TRUE
             ? count
             : -1;
}

auto* open_stream(Memory& memory, bool input) {
  auto* stream = opj_stream_create(65536, input ? OPJ_TRUE : OPJ_FALSE);
  opj_stream_set_user_data(stream, &memory, nullptr);
  opj_stream_set_user_data_length(stream, memory.size);
  opj_stream_set_read_function(stream, read_bytes);
  opj_stream_set_write_function(stream, write_bytes);
  opj_stream_set_seek_function(stream, seek_bytes);
  opj_stream_set_skip_function(stream, skip_bytes);
  return stream;
}

class Coder : public J2kCoder {
 public:
  explicit Coder(const J2kSamples& samples) : samples_(samples) {}

  size_t encode(const J2kBlock& block, float step, std::span<uint8_t> out) override {
    opj_image_t* image = image_of(block);
    opj_cparameters_t parameters;
    opj_set_default_encoder_parameters(&parameters);
    parameters.prog_order = OPJ_RPCL;
    parameters.tp_on = 1;
    parameters.tp_flag = 'R';
    parameters.tcp_mct = samples_.is_rgb ? 1 : 0;
    parameters.irreversible = 1;
    parameters.tcp_numlayers = 1;
    parameters.cp_fixed_quality = 1;
    parameters.tcp_distoratio[0] =
        static_cast<float>(10 * std::log10(12.0) - 20 * std::log10(double{step}));
    auto* codec = opj_create_compress(OPJ_CODEC_J2K);
    Memory memory{out.data(), out.size()};
    auto* stream = open_stream(memory, false);
    const bool done = opj_setup_encoder(codec, &parameters, image) == OPJ_TRUE &&
                      opj_start_compress(codec, image, stream) == OPJ_TRUE &&
                      opj_encode(codec, stream) == OPJ_TRUE &&
                      opj_end_compress(codec, stream) == OPJ_TRUE;
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(image);
    return done ? memory.at : 0;
  }

  bool decode(std::span<const uint8_t> bytes, const J2kBlock&) override {
    Memory memory{const_cast<uint8_t*>(bytes.data()), bytes.size()};
    auto* codec = opj_create_decompress(OPJ_CODEC_J2K);
    auto* stream = open_stream(memory, true);
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    opj_image_t* image = nullptr;
    const bool done = opj_setup_decoder(codec, &parameters) == OPJ_TRUE &&
                      opj_read_header(stream, codec, &image) == OPJ_TRUE &&
                      opj_decode(codec, stream, image) == OPJ_TRUE;
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(image);
    return done;
  }

 private:
  opj_image_t* image_of(const J2kBlock& block) const {
    opj_image_cmptparm_t components[3] = {};
    for (int i = 0; i < 3; ++i) {
      components[i].dx = static_cast<OPJ_UINT32>(i == 0 ? 1 : samples_.step_x);
      components[i].dy = static_cast<OPJ_UINT32>(i == 0 ? 1 : samples_.step_y);
      components[i].w = static_cast<OPJ_UINT32>(samples_.width(i, block));
      components[i].h = static_cast<OPJ_UINT32>(samples_.height(i, block));
      components[i].prec = 8;
    }
    opj_image_t* image =
        opj_image_create(3, components, samples_.is_rgb ? OPJ_CLRSPC_SRGB : OPJ_CLRSPC_SYCC);
    image->x1 = components[0].w;
    image->y1 = components[0].h;
    for (int i = 0; i < 3; ++i) {
      const int width = samples_.width(i, block);
      for (int y = 0; y < samples_.height(i, block); ++y) {
        std::memcpy(image->comps[i].data + ptrdiff_t{width} * y, samples_.row(i, block, y),
                    static_cast<size_t>(width) * sizeof(int32_t));
      }
    }
    return image;
  }

  const J2kSamples& samples_;
};

}  // namespace

MakeJ2kCoder openjpeg_alone(const J2kSamples& samples) {
  return [&samples] { return std::make_unique<Coder>(samples); };
}

}  // namespace bench
