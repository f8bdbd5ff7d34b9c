#include "codecs/color/deep_samples.h"

namespace codecs {
namespace {

struct LumaWeights {
  double red;
  double blue;
};

LumaWeights luma_weights(ColorMatrix matrix) {
  if (matrix == ColorMatrix::kBt601) return {0.299, 0.114};
  if (matrix == ColorMatrix::kBt2020) return {0.2627, 0.0593};
  return {0.2126, 0.0722};
}

}  // namespace

DeepYuvMatrix deep_matrix(const PictureColor& color, int bits) {
  const LumaWeights weights = luma_weights(color.matrix);
  const double green_weight = 1 - weights.red - weights.blue;
  const bool limited = color.range == ColorRange::kLimited;
  const double step = 1 << (bits - 8);
  const double most = (1 << bits) - 1;
  const double luma_gain = 255 / (limited ? 219 * step : most);
  const double chroma_gain = 255 / (limited ? 224 * step : most);
  const double cr_to_red = 2 * (1 - weights.red) * chroma_gain;
  const double cb_to_blue = 2 * (1 - weights.blue) * chroma_gain;
  return {
      .black = static_cast<float>(limited ? 16 * step : 0),
      .middle = static_cast<float>(128 * step),
      .y = static_cast<float>(luma_gain),
      .cr_to_red = static_cast<float>(cr_to_red),
      .cb_to_green = static_cast<float>(-cb_to_blue * weights.blue / green_weight),
      .cr_to_green = static_cast<float>(-cr_to_red * weights.red / green_weight),
      .cb_to_blue = static_cast<float>(cb_to_blue),
  };
}

}  // namespace codecs
