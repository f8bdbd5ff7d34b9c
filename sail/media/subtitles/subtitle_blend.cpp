#include "sail/media/subtitles/subtitle_blend.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <unordered_map>
#include <utility>

#include "codecs/color/cinema_color.h"

namespace sail {
namespace {

struct Channel {
  int plane;
  int offset;     // in samples
  int step;       // in samples
  int component;  // 0 to 2: Y, Cb, Cr or R, G, B; 3: alpha
  bool halved_x = false;
  bool halved_y = false;
};

using Channels = std::vector<Channel>;

Channels planar(bool halved_x, bool halved_y) {
  return {{0, 0, 1, 0}, {1, 0, 1, 1, halved_x, halved_y}, {2, 0, 1, 2, halved_x, halved_y}};
}

Channels semi_planar(bool halved_y) {
  return {{0, 0, 1, 0}, {1, 0, 2, 1, true, halved_y}, {1, 1, 2, 2, true, halved_y}};
}

Channels channels_of(sail_pixel_format format) {
  switch (format) {
    case SAIL_RGBA:
      return {{0, 0, 4, 0}, {0, 1, 4, 1}, {0, 2, 4, 2}, {0, 3, 4, 3}};
    case SAIL_BGRA:
      return {{0, 2, 4, 0}, {0, 1, 4, 1}, {0, 0, 4, 2}, {0, 3, 4, 3}};
    case SAIL_RGB:
    case SAIL_RGB_DEEP:
      return {{0, 0, 3, 0}, {0, 1, 3, 1}, {0, 2, 3, 2}};
    case SAIL_NV12:
      return semi_planar(true);
    case SAIL_NV16:
      return semi_planar(false);
    case SAIL_I420:
    case SAIL_I420_DEEP:
      return planar(true, true);
    case SAIL_I422:
    case SAIL_I422_DEEP:
      return planar(true, false);
    case SAIL_I444:
    case SAIL_I444_DEEP:
      return planar(false, false);
  }
  return {};
}

bool is_deep(sail_pixel_format format) {
  return format == SAIL_I420_DEEP || format == SAIL_I422_DEEP || format == SAIL_I444_DEEP ||
         format == SAIL_RGB_DEEP;
}

bool is_rgb_format(sail_pixel_format format) {
  return format == SAIL_RGBA || format == SAIL_BGRA || format == SAIL_RGB ||
         format == SAIL_RGB_DEEP;
}

// A sample is at_zero · alpha, plus the sum of of_bgr · colour; colours and alpha are from 0 to 1.
struct Formula {
  double at_zero = 0;
  std::array<double, 3> of_bgr{};
  double largest = 255;
};

Formula formula_of(const SubtitleCanvas& canvas, int component) {
  const int bits = is_deep(canvas.format) ? canvas.bits : 8;
  const double unit = 1 << (bits - 8);
  const double largest = (1 << bits) - 1;
  if (component == 3) return {.at_zero = largest, .of_bgr = {}, .largest = largest};
  if (is_rgb_format(canvas.format)) {
    Formula formula{.at_zero = 0, .of_bgr = {}, .largest = largest};
    formula.of_bgr[static_cast<size_t>(2 - component)] = largest;
    return formula;
  }
  const bool is_601 = canvas.matrix == SAIL_BT601;
  const bool is_2020 = canvas.matrix == SAIL_BT2020;
  const double red = is_601 ? 0.299 : is_2020 ? 0.2627 : 0.2126;
  const double blue = is_601 ? 0.114 : is_2020 ? 0.0593 : 0.0722;
  const double green = 1 - red - blue;
  const bool full = canvas.range == SAIL_FULL;
  if (component == 0) {
    const double scale = full ? largest : 219 * unit;
    return {full ? 0 : 16 * unit, {scale * blue, scale * green, scale * red}, largest};
  }
  const double scale = full ? largest : 224 * unit;
  const double zero = 128 * unit;
  if (component == 1) {
    const double by = scale / (2 * (1 - blue));
    return {zero, {by * (1 - blue), -by * green, -by * red}, largest};
  }
  const double by = scale / (2 * (1 - red));
  return {zero, {-by * blue, -by * green, by * (1 - red)}, largest};
}

// Blue, green, red without alpha, which is not 0.
std::array<uint8_t, 3> color_of(const uint8_t* pixel) {
  std::array<uint8_t, 3> bgr{};
  for (size_t i = 0; i < 3; ++i) {
    bgr[i] = static_cast<uint8_t>(std::min(255, (pixel[i] * 255 + pixel[3] / 2) / pixel[3]));
  }
  return bgr;
}

// Converts colours of sRGB for a display with other primaries. Greys are the same on both.
class PatchConverter {
 public:
  PatchConverter(const codecs::SourceColor& source, const codecs::DisplayColor& display)
      : transform_(source, display) {}

  void convert(SubtitlePatch& patch) {
    for (size_t i = 0; i + 3 < patch.bgra.size(); i += 4) {
      uint8_t* const pixel = &patch.bgra[i];
      if (pixel[0] == pixel[1] && pixel[1] == pixel[2]) continue;
      const codecs::Rgb& shown = shown_of(color_of(pixel));
      for (size_t c = 0; c < 3; ++c) {
        pixel[c] = static_cast<uint8_t>(std::lround(shown[2 - c] * pixel[3]));
      }
    }
  }

 private:
  const codecs::Rgb& shown_of(const std::array<uint8_t, 3>& bgr) {
    const auto [known, added] = known_.try_emplace(bgr[0] | bgr[1] << 8 | bgr[2] << 16);
    if (added) known->second = transform_.show({bgr[2] / 255.0, bgr[1] / 255.0, bgr[0] / 255.0});
    return known->second;
  }

  const codecs::ColorTransform transform_;
  std::unordered_map<int, codecs::Rgb> known_;
};

// As value_of(), for X', Y' or Z'.
uint32_t cinema_value(const codecs::CinemaCode& code, double largest, int component,
                      const uint8_t* pixel) {
  if (pixel[3] == 0) return 0;
  const std::array<uint8_t, 3> bgr = color_of(pixel);
  return static_cast<uint32_t>(std::lround(largest * pixel[3] * code.of(bgr.data(), component)));
}

// Returns the formula's value times 255 times the largest alpha.
uint32_t value_of(const Formula& formula, const uint8_t* pixel) {
  const double value = formula.at_zero * pixel[3] + formula.of_bgr[0] * pixel[0] +
                       formula.of_bgr[1] * pixel[1] + formula.of_bgr[2] * pixel[2];
  return static_cast<uint32_t>(std::lround(std::clamp(value, 0.0, formula.largest * pixel[3])));
}

// Null outside of the patch.
const uint8_t* pixel_at(const SubtitlePatch& patch, int x, int y) {
  const Rect& rect = patch.rect;
  if (!rect.contains(x, y)) return nullptr;
  const size_t row = static_cast<size_t>(y - rect.y) * static_cast<size_t>(rect.width);
  return patch.bgra.data() + 4 * (row + static_cast<size_t>(x - rect.x));
}

template <typename Sample>
void blend_row(uint8_t* bytes, int step, uint32_t full, std::span<const uint16_t> weights,
               const uint32_t* values) {
  for (size_t x = 0; x < weights.size(); ++x, bytes += step) {
    if (weights[x] == 0) continue;
    Sample sample = 0;
    std::memcpy(&sample, bytes, sizeof sample);
    sample = static_cast<Sample>((sample * (full - weights[x]) + values[x] + full / 2) / full);
    std::memcpy(bytes, &sample, sizeof sample);
  }
}

// As blend_row(), into colours that are not premultiplied.
void blend_transparent_row(uint8_t* bytes, int step, int to_alpha,
                           std::span<const uint16_t> weights, const uint32_t* values) {
  constexpr uint32_t kFull = 255;
  for (size_t x = 0; x < weights.size(); ++x, bytes += step) {
    if (weights[x] == 0) continue;
    const uint32_t below = bytes[to_alpha] * (kFull - weights[x]);
    const uint32_t both = kFull * weights[x] + below;
    bytes[0] = static_cast<uint8_t>((values[x] * kFull + bytes[0] * below + both / 2) / both);
  }
}

}  // namespace

bool SubtitleCanvas::is_like(const SubtitleCanvas& other) const {
  return size == other.size && format == other.format && bits == other.bits &&
         matrix == other.matrix && range == other.range && transparent == other.transparent &&
         display == other.display;
}

void SubtitleBlender::set(std::vector<SubtitlePatch> patches) {
  patches_ = std::move(patches);
  prepared_for_.reset();
  layers_.clear();
}

std::vector<SubtitlePatch> SubtitleBlender::patches_for(const SubtitleCanvas& canvas) const {
  std::vector<SubtitlePatch> patches = patches_;
  const codecs::SourceColor srgb{.primaries = codecs::Primaries::kBt709,
                                 .transfer = codecs::Transfer::kSdr};
  if (canvas.display.primaries == srgb.primaries || canvas.matrix == SAIL_XYZ) return patches;
  PatchConverter converter(srgb, canvas.display);
  for (SubtitlePatch& patch : patches) converter.convert(patch);
  return patches;
}

void SubtitleBlender::prepare(const SubtitleCanvas& canvas) {
  layers_.clear();
  const std::vector<SubtitlePatch> patches = patches_for(canvas);
  const int bytes = is_deep(canvas.format) ? 2 : 1;
  constexpr int kAlpha = 3;  // component, and offset in a pixel
  std::optional<codecs::CinemaCode> cinema;
  if (canvas.matrix == SAIL_XYZ) cinema.emplace();
  const Channels channels = channels_of(canvas.format);
  const bool transparent = canvas.transparent && channels.size() > kAlpha;
  for (const Channel& channel : channels) {
    const int columns = channel.halved_x ? 2 : 1;
    const int rows = channel.halved_y ? 2 : 1;
    for (const SubtitlePatch& patch : patches) {
      const Rect& rect = patch.rect;
      Layer layer{.plane = channel.plane,
                  .offset = channel.offset * bytes,
                  .step = channel.step * bytes,
                  .to_alpha = {},
                  .rect = Rect::from_edges(rect.x / columns, rect.y / rows,
                                           (rect.right() + columns - 1) / columns,
                                           (rect.bottom() + rows - 1) / rows),
                  .full = 255U * static_cast<unsigned>(columns * rows),
                  .weights = {},
                  .values = {}};
      if (transparent && channel.component != kAlpha) {
        layer.to_alpha = kAlpha - channel.offset;
      }
      const Formula formula = formula_of(canvas, channel.component);
      for (int y = layer.rect.y; y < layer.rect.bottom(); ++y) {
        for (int x = layer.rect.x; x < layer.rect.right(); ++x) {
          uint16_t weight = 0;
          uint32_t value = 0;
          for (int i = 0; i < columns * rows; ++i) {
            // The last column or row of a picture of odd size counts twice.
            const uint8_t* bgra =
                pixel_at(patch, std::min(x * columns + i % columns, canvas.size.width - 1),
                         std::min(y * rows + i / columns, canvas.size.height - 1));
            if (bgra == nullptr) continue;
            weight = static_cast<uint16_t>(weight + bgra[3]);
            value += cinema ? cinema_value(*cinema, formula.largest, channel.component, bgra)
                            : value_of(formula, bgra);
          }
          layer.weights.push_back(weight);
          layer.values.push_back(value);
        }
      }
      layers_.push_back(std::move(layer));
    }
  }
  prepared_for_ = canvas;
}

void SubtitleBlender::blend(const SubtitleCanvas& canvas) {
  if (empty()) return;
  if (!prepared_for_ || !prepared_for_->is_like(canvas)) prepare(canvas);
  const bool deep = is_deep(canvas.format);
  for (const Layer& layer : layers_) {
    const auto plane = static_cast<size_t>(layer.plane);
    const auto width = static_cast<size_t>(layer.rect.width);
    for (int y = 0; y < layer.rect.height; ++y) {
      uint8_t* bytes = canvas.planes[plane] + (layer.rect.y + y) * canvas.strides[plane] +
                       static_cast<ptrdiff_t>(layer.rect.x) * layer.step + layer.offset;
      const size_t begin = static_cast<size_t>(y) * width;
      const std::span weights(layer.weights.data() + begin, width);
      const uint32_t* values = layer.values.data() + begin;
      if (layer.to_alpha) {
        blend_transparent_row(bytes, layer.step, *layer.to_alpha, weights, values);
      } else if (deep) {
        blend_row<uint16_t>(bytes, layer.step, layer.full, weights, values);
      } else {
        blend_row<uint8_t>(bytes, layer.step, layer.full, weights, values);
      }
    }
  }
}

}  // namespace sail
