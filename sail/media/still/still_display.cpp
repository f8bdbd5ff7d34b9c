#include "sail/media/still/still_display.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/color/cinema_color.h"
#include "codecs/color/color_table.h"

namespace sail {
namespace {

constexpr int kRgb = 3;
constexpr int kBgra = 4;

struct Conversion {
  codecs::ColorTable table;
  codecs::CpuLevel cpu;
};

// Called by libvips on several threads at once, each with a `source` of its own.
int convert_region(VipsRegion* target, void* source, void* /*image*/, void* conversion,
                   gboolean* /*stop*/) {
  auto* from = static_cast<VipsRegion*>(source);
  const auto& how = *static_cast<const Conversion*>(conversion);
  const VipsRect& part = target->valid;
  if (vips_region_prepare(from, &part) != 0) return -1;
  codecs::ImageView view;
  view.format = codecs::PixelFormat::kRgbDeep;
  view.width = part.width;
  view.height = part.height;
  view.planes[0] = VIPS_REGION_ADDR(from, part.left, part.top);
  view.strides[0] = static_cast<ptrdiff_t>(VIPS_REGION_LSKIP(from));
  view.bits = 16;
  const size_t row_bytes = static_cast<size_t>(part.width) * kBgra;
  std::vector<uint8_t> bgra(row_bytes * static_cast<size_t>(part.height));
  how.table.convert(view, {bgra.data(), static_cast<ptrdiff_t>(row_bytes)}, how.cpu);
  for (int y = 0; y < part.height; ++y) {
    const uint8_t* pixel = bgra.data() + static_cast<size_t>(y) * row_bytes;
    uint8_t* out = VIPS_REGION_ADDR(target, part.left, part.top + y);
    for (int x = 0; x < part.width; ++x, pixel += kBgra, out += kRgb) {
      std::reverse_copy(pixel, pixel + kRgb, out);
    }
  }
  return 0;
}

// Red, green and blue of 16 bits.
Result<VipsHandle> deep_rgb(VipsHandle image, const std::string& path) {
  VipsImage* out = nullptr;
  if (vips_image_hasalpha(image.get()) != 0) {
    if (vips_flatten(image.get(), &out, nullptr) != 0) return vips_failure(path);
    image.reset(std::exchange(out, nullptr));
  }
  if (vips_image_get_format(image.get()) == VIPS_FORMAT_UCHAR) {
    constexpr double kToDeep = 257;
    if (vips_linear1(image.get(), &out, kToDeep, 0.0, nullptr) != 0) return vips_failure(path);
    image.reset(std::exchange(out, nullptr));
  }
  if (vips_image_get_bands(image.get()) < kRgb) {
    VipsImage* grey[kRgb] = {image.get(), image.get(), image.get()};
    if (vips_bandjoin(grey, &out, kRgb, nullptr) != 0) return vips_failure(path);
    image.reset(std::exchange(out, nullptr));
  }
  if (vips_cast(image.get(), &out, VIPS_FORMAT_USHORT, nullptr) != 0) return vips_failure(path);
  return VipsHandle(out);
}

}  // namespace

Result<VipsHandle> to_display(VipsHandle image, const codecs::SourceColor& color,
                              const codecs::DisplayColor& display, const std::string& path) {
  auto deep = deep_rgb(std::move(image), path);
  if (!deep) return deep;
  VipsHandle shown(vips_image_new());
  // The source and the table live as long as the result.
  VipsImage* source = deep->release();
  g_object_set_data_full(G_OBJECT(shown.get()), "vitrail-source", source, &g_object_unref);
  auto conversion = std::make_unique<Conversion>(
      Conversion{codecs::ColorTable(color, display), codecs::detect_cpu()});
  Conversion* how = conversion.release();
  g_object_set_data_full(G_OBJECT(shown.get()), "vitrail-conversion", how,
                         [](gpointer data) { delete static_cast<Conversion*>(data); });
  VipsImage* sources[] = {source, nullptr};
  if (vips_image_pipeline_array(shown.get(), VIPS_DEMAND_STYLE_THINSTRIP, sources) != 0) {
    return vips_failure(path);
  }
  shown->Bands = kRgb;
  shown->BandFmt = VIPS_FORMAT_UCHAR;
  shown->Type = VIPS_INTERPRETATION_sRGB;
  if (vips_image_generate(shown.get(), vips_start_one, &convert_region, vips_stop_one, source,
                          how) != 0) {
    return vips_failure(path);
  }
  return shown;
}

SrgbConverter::SrgbConverter(const codecs::DisplayColor& display)
    : table_({.primaries = codecs::Primaries::kBt709, .transfer = codecs::Transfer::kSdr},
             display) {}

void SrgbConverter::convert(uint8_t* bgra, Size size) const {
  constexpr uint16_t kToDeep = 257;
  const codecs::CpuLevel cpu = codecs::detect_cpu();
  const auto width = static_cast<size_t>(size.width);
  constexpr int kRows = codecs::kDitherRows;  // multiples have the dithering of the whole
  std::vector<uint16_t> deep(kRgb * width * kRows);
  for (int y = 0; y < size.height; y += kRows) {
    uint8_t* const rows = bgra + static_cast<size_t>(y) * width * kBgra;
    const int count = std::min(kRows, size.height - y);
    for (size_t i = 0; i < width * static_cast<size_t>(count); ++i) {
      for (size_t c = 0; c < kRgb; ++c) {
        deep[kRgb * i + c] = static_cast<uint16_t>(kToDeep * rows[kBgra * i + 2 - c]);
      }
    }
    codecs::ImageView view{
        .format = codecs::PixelFormat::kRgbDeep, .width = size.width, .height = count};
    view.planes[0] = reinterpret_cast<const uint8_t*>(deep.data());
    view.strides[0] = static_cast<ptrdiff_t>(width * kRgb * sizeof(uint16_t));
    view.bits = 16;
    table_.convert(view, {rows, static_cast<ptrdiff_t>(width) * kBgra}, cpu);
  }
}

}  // namespace sail
