// The only file that includes OpenJPEG.
#include <openjpeg.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "codecs/base/cpu.h"
#include "codecs/j2k/component_planes.h"
#include "codecs/j2k/component_reader.h"
#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_header.h"

namespace codecs {
namespace {

// OpenJPEG declares both handles as void pointers.
struct DestroyCodec {
  void operator()(void* codec) const { opj_destroy_codec(static_cast<opj_codec_t*>(codec)); }
};
struct DestroyStream {
  void operator()(void* stream) const { opj_stream_destroy(static_cast<opj_stream_t*>(stream)); }
};
struct DestroyImage {
  void operator()(opj_image_t* image) const { opj_image_destroy(image); }
};
using Codec =
    std::unique_ptr<std::remove_pointer_t<decltype(opj_create_decompress({}))>, DestroyCodec>;
using Stream =
    std::unique_ptr<std::remove_pointer_t<decltype(opj_stream_create(0, 0))>, DestroyStream>;
using Image = std::unique_ptr<opj_image_t, DestroyImage>;

constexpr auto kNoBytes = static_cast<OPJ_SIZE_T>(-1);
constexpr OPJ_SIZE_T kStreamBuffer = 65536;

void say_nothing(const char*, void*) {}

void silence(opj_codec_t* codec) {
  opj_set_info_handler(codec, say_nothing, nullptr);
  opj_set_warning_handler(codec, say_nothing, nullptr);
  opj_set_error_handler(codec, say_nothing, nullptr);
}

// An output buffer of fixed size.
struct Written {
  std::span<uint8_t> out;
  size_t at = 0;
  size_t size = 0;
};

OPJ_SIZE_T write_bytes(void* bytes, OPJ_SIZE_T size, void* user) {
  auto& written = *static_cast<Written*>(user);
  if (size > written.out.size() - written.at) return kNoBytes;
  std::memcpy(written.out.data() + written.at, bytes, size);
  written.at += size;
  written.size = std::max(written.size, written.at);
  return size;
}

OPJ_BOOL seek_written(OPJ_OFF_T to, void* user) {
  auto& written = *static_cast<Written*>(user);
  if (to < 0 || static_cast<size_t>(to) > written.out.size()) return OPJ_FALSE;
  written.at = static_cast<size_t>(to);
  return OPJ_TRUE;
}

OPJ_OFF_T skip_written(OPJ_OFF_T bytes, void* user) {
  const auto& written = *static_cast<Written*>(user);
  return seek_written(static_cast<OPJ_OFF_T>(written.at) + bytes, user) == OPJ_TRUE ? bytes : -1;
}

// A codestream, or a prefix of one, with EOC appended.
struct Source {
  std::span<const uint8_t> bytes;
  size_t at = 0;
  size_t end() const { return bytes.size() + sizeof(kEndOfCodestream); }
};

OPJ_SIZE_T read_bytes(void* to, OPJ_SIZE_T size, void* user) {
  auto& source = *static_cast<Source*>(user);
  if (source.at >= source.end()) return kNoBytes;
  size_t done = 0;
  if (source.at < source.bytes.size()) {
    done = std::min<size_t>(size, source.bytes.size() - source.at);
    std::memcpy(to, source.bytes.data() + source.at, done);
    source.at += done;
  }
  for (; done < size && source.at < source.end(); ++done, ++source.at) {
    static_cast<uint8_t*>(to)[done] = kEndOfCodestream[source.at - source.bytes.size()];
  }
  return done;
}

OPJ_BOOL seek_source(OPJ_OFF_T to, void* user) {
  auto& source = *static_cast<Source*>(user);
  if (to < 0 || static_cast<size_t>(to) > source.end()) return OPJ_FALSE;
  source.at = static_cast<size_t>(to);
  return OPJ_TRUE;
}

OPJ_OFF_T skip_source(OPJ_OFF_T bytes, void* user) {
  const auto& source = *static_cast<Source*>(user);
  return seek_source(static_cast<OPJ_OFF_T>(source.at) + bytes, user) == OPJ_TRUE ? bytes : -1;
}

class OpenJpegEncoder : public J2kEncoder {
 public:
  std::optional<PrefixBytes> encode(const ImageView& frame, int x, int y, int width, int height,
                                    const J2kQuality& quality, std::span<uint8_t> out) override {
    const ComponentReader reader(frame, x, y, width, height, cpu_);
    const Image image = read_image(reader);
    const Codec codec(opj_create_compress(OPJ_CODEC_J2K));
    const Stream stream(opj_stream_create(kStreamBuffer, OPJ_FALSE));
    if (!image || !codec || !stream) return {};
    silence(codec.get());
    Written written{out};
    opj_stream_set_user_data(stream.get(), &written, nullptr);
    opj_stream_set_write_function(stream.get(), write_bytes);
    opj_stream_set_seek_function(stream.get(), seek_written);
    opj_stream_set_skip_function(stream.get(), skip_written);
    opj_cparameters_t parameters = parameters_of(reader, quality);
    if (opj_setup_encoder(codec.get(), &parameters, image.get()) != OPJ_TRUE ||
        opj_start_compress(codec.get(), image.get(), stream.get()) != OPJ_TRUE ||
        opj_encode(codec.get(), stream.get()) != OPJ_TRUE ||
        opj_end_compress(codec.get(), stream.get()) != OPJ_TRUE) {
      return {};
    }
    return j2k_prefix_bytes(out.first(written.size));
  }

 private:
  static Image read_image(const ComponentReader& reader) {
    opj_image_cmptparm_t components[ComponentReader::kComponents] = {};
    for (int i = 0; i < ComponentReader::kComponents; ++i) {
      opj_image_cmptparm_t& component = components[i];
      component.dx = static_cast<OPJ_UINT32>(i == 0 ? 1 : reader.chroma_step_x());
      component.dy = static_cast<OPJ_UINT32>(i == 0 ? 1 : reader.chroma_step_y());
      component.w = static_cast<OPJ_UINT32>(reader.width(i));
      component.h = static_cast<OPJ_UINT32>(reader.height(i));
      component.prec = static_cast<OPJ_UINT32>(reader.bits());
    }
    Image image(opj_image_create(ComponentReader::kComponents, components,
                                 reader.is_rgb() ? OPJ_CLRSPC_SRGB : OPJ_CLRSPC_SYCC));
    if (!image) return image;
    image->x1 = components[0].w;
    image->y1 = components[0].h;
    const opj_image_comp_t* comps = image->comps;
    if (reader.is_rgb()) {
      for (int row = 0; row < reader.height(0); ++row) {
        const ptrdiff_t at = ptrdiff_t{reader.width(0)} * row;
        int32_t* const lines[] = {comps[0].data + at, comps[1].data + at, comps[2].data + at};
        reader.read_rgb(row, lines);
      }
      return image;
    }
    for (int i = 0; i < ComponentReader::kComponents; ++i) {
      for (int row = 0; row < reader.height(i); ++row) {
        reader.read(i, row, comps[i].data + ptrdiff_t{reader.width(i)} * row);
      }
    }
    return image;
  }

  static opj_cparameters_t parameters_of(const ComponentReader& reader, const J2kQuality& quality) {
    opj_cparameters_t parameters;
    opj_set_default_encoder_parameters(&parameters);
    parameters.numresolution = kJ2kLevels + 1;
    // One tile. The library requires a tile size that allows all levels, even for small pictures.
    parameters.tile_size_on = OPJ_TRUE;
    parameters.cp_tdx = std::max(reader.width(0), 1 << kJ2kLevels);
    parameters.cp_tdy = std::max(reader.height(0), 1 << kJ2kLevels);
    parameters.cblockw_init = kJ2kCodeBlockSide;
    parameters.cblockh_init = kJ2kCodeBlockSide;
    parameters.prog_order = OPJ_RPCL;
    parameters.tp_on = 1;
    parameters.tp_flag = 'R';
    parameters.tcp_mct = reader.is_rgb() ? 1 : 0;
    parameters.irreversible = quality.lossless ? 0 : 1;
    parameters.tcp_numlayers = 1;
    if (quality.lossless) {
      parameters.cp_disto_alloc = 1;
      parameters.tcp_rates[0] = 0;
    } else {
      // A uniform quantiser's mean square error is step² / 12.
      parameters.cp_fixed_quality = 1;
      parameters.tcp_distoratio[0] =
          static_cast<float>(10 * std::log10(12.0) - 20 * std::log10(double{quality.step}));
    }
    return parameters;
  }

  const CpuLevel cpu_ = detect_cpu();
};

class OpenJpegDecoder : public J2kDecoder {
 public:
  OpenJpegDecoder() : planes_(detect_cpu()) {}

  bool decode(std::span<const uint8_t> bytes, const J2kTarget& target) override {
    const auto header = read_j2k_main_header(bytes);
    if (!header || !is_j2k_target_valid(header->shape, target)) return false;
    if (!are_j2k_tile_parts_valid(bytes, *header, target.reduction)) return false;
    if (!planes_.begin(header->shape, target)) return false;
    const Image image = read_image(bytes, header->shape, target.reduction);
    if (!image || !put_all(*image, header->shape, target.reduction)) return false;
    planes_.show(target);
    return true;
  }

 private:
  static Image read_image(std::span<const uint8_t> bytes, const J2kHeader& shape, int reduction) {
    const Codec codec(opj_create_decompress(OPJ_CODEC_J2K));
    const Stream stream(opj_stream_create(kStreamBuffer, OPJ_TRUE));
    if (!codec || !stream) return {};
    silence(codec.get());
    Source source{bytes};
    opj_stream_set_user_data(stream.get(), &source, nullptr);
    opj_stream_set_user_data_length(stream.get(), source.end());
    opj_stream_set_read_function(stream.get(), read_bytes);
    opj_stream_set_seek_function(stream.get(), seek_source);
    opj_stream_set_skip_function(stream.get(), skip_source);
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    parameters.cp_reduce = static_cast<OPJ_UINT32>(reduction);
    opj_image_t* read = nullptr;
    if (opj_setup_decoder(codec.get(), &parameters) != OPJ_TRUE ||
        opj_decoder_set_strict_mode(codec.get(), OPJ_TRUE) != OPJ_TRUE) {
      return {};
    }
    const bool begun = opj_read_header(stream.get(), codec.get(), &read) == OPJ_TRUE;
    Image image(read);
    if (!begun || !image) return {};
    // The whole picture; without this call, sizes of halved pictures ignore the image offset.
    if (opj_set_decode_area(codec.get(), image.get(), 0, 0, 0, 0) != OPJ_TRUE) return {};
    const auto shown = static_cast<OPJ_UINT32>(shape.shown_components());
    if (!shape.color_transform && image->numcomps > shown) {  // saves memory
      OPJ_UINT32 indices[] = {0, 1, 2};
      if (opj_set_decoded_components(codec.get(), shown, indices, OPJ_FALSE) != OPJ_TRUE) return {};
    }
    if (opj_decode(codec.get(), stream.get(), image.get()) != OPJ_TRUE) return {};
    return image;
  }

  // The whole picture has been decoded; puts the wanted part.
  bool put_all(const opj_image_t& image, const J2kHeader& shape, int reduction) {
    const int shown = shape.shown_components();
    if (static_cast<int>(image.numcomps) < shown) return false;
    for (int i = 0; i < shown; ++i) {
      const opj_image_comp_t& component = image.comps[i];
      const Area all = j2k_component_area(shape, i, reduction);
      if (component.data == nullptr || static_cast<int>(component.w) != all.width() ||
          static_cast<int>(component.h) != all.height()) {
        return false;
      }
      if (component.sgnd != 0) make_unsigned(component);
      const Area area = common_area(planes_.area(i), all);
      for (int y = area.y0; y < area.y1 && !planes_.wants_rgb(); ++y) {
        planes_.put(i, area.x0, y, area.width(),
                    component.data + ptrdiff_t{all.width()} * (y - all.y0) + (area.x0 - all.x0));
      }
    }
    if (planes_.wants_rgb()) put_rgb(image, j2k_component_area(shape, 0, reduction));
    return true;
  }

  static void make_unsigned(const opj_image_comp_t& component) {
    const size_t samples = size_t{component.w} * component.h;
    const OPJ_INT32 half = 1 << (component.prec - 1);
    std::for_each_n(component.data, samples, [half](OPJ_INT32& sample) { sample += half; });
  }

  void put_rgb(const opj_image_t& image, const Area& all) {
    const Area area = common_area(planes_.area(0), all);
    for (int y = area.y0; y < area.y1; ++y) {
      const ptrdiff_t at = ptrdiff_t{all.width()} * (y - all.y0) + (area.x0 - all.x0);
      const int32_t* const lines[] = {image.comps[0].data + at, image.comps[1].data + at,
                                      image.comps[2].data + at};
      planes_.put_rgb(area.x0, y, area.width(), lines);
    }
  }

  ComponentPlanes planes_;
};

}  // namespace

std::unique_ptr<J2kEncoder> make_openjpeg_encoder() {
  return std::make_unique<OpenJpegEncoder>();
}
std::unique_ptr<J2kDecoder> make_openjpeg_decoder() {
  return std::make_unique<OpenJpegDecoder>();
}

}  // namespace codecs
