#include "codecs/htj2k_parameters.h"

#include <algorithm>

#include "codecs/j2k_markers.h"

namespace codecs {
namespace {

void read_size(MarkerReader siz, Htj2kParameters& parameters) {
  siz.word();
  for (int i = 0; i < 4; ++i) siz.number(4);
  const auto side = [&] {
    return static_cast<int>(std::min(siz.number(4), static_cast<uint32_t>(kMaxJ2kSide)));
  };
  parameters.tile_width = side();
  parameters.tile_height = side();
}

void read_coding(MarkerReader cod, Htj2kParameters& parameters) {
  constexpr int kVerticallyCausal = 0x08, kHasPrecincts = 1;
  const int style = cod.byte();
  parameters.progression = static_cast<Progression>(cod.byte());
  parameters.layers = cod.word();
  cod.number(4);  // transform, levels, code-blocks: J2kMainHeader has them
  parameters.stripe_causal = (cod.byte() & kVerticallyCausal) != 0;
  cod.byte();
  for (size_t i = 0; i <= static_cast<size_t>(parameters.header.shape.levels); ++i) {
    const int precinct = (style & kHasPrecincts) != 0 ? cod.byte() : 0xff;
    parameters.precinct_width_log2[i] = static_cast<uint8_t>(precinct & 15);
    parameters.precinct_height_log2[i] = static_cast<uint8_t>(precinct >> 4);
  }
}

void read_quantisation(MarkerReader qcd, int levels, Htj2kParameters::Quantisation& to) {
  constexpr int kWhole = 0, kDerived = 1;
  const int style = qcd.byte();
  to.guard_bits = style >> 5;
  const auto bands = static_cast<size_t>(3 * levels + 1);
  for (size_t i = 0; i < bands; ++i) {
    if ((style & 31) == kWhole) {
      to.bands[i] = {.exponent = qcd.byte() >> 3};
    } else if (i == 0 || (style & 31) != kDerived) {
      const int step = qcd.word();
      to.bands[i] = {.exponent = step >> 11, .mantissa = step & 0x7ff};
    } else {
      // E-5: one less with each level that the band is larger.
      const int larger = static_cast<int>(i - 1) / 3;
      to.bands[i] = to.bands[0];
      to.bands[i].exponent = std::max(to.bands[0].exponent - larger, 0);
    }
  }
}

}  // namespace

std::optional<Htj2kParameters> read_htj2k_parameters(std::span<const uint8_t> codestream) {
  const auto header = read_j2k_main_header(codestream);
  if (!header || !header->shape.high_throughput) return {};
  Htj2kParameters parameters{.header = *header};
  const int levels = header->shape.levels;
  std::array<bool, Htj2kParameters::kMostComponents> has_own{};
  MarkerReader reader(codestream.first(header->bytes));
  reader.word();
  while (reader.left() > 0) {
    const uint16_t marker = reader.word();
    MarkerReader body = reader.segment();
    if (reader.failed()) return {};
    if (marker == kSiz) read_size(body, parameters);
    if (marker == kCod) read_coding(body, parameters);
    if (marker == kQcc) {
      const size_t component = body.byte();
      read_quantisation(body, levels, parameters.quantisations[component]);
      has_own[component] = true;
    }
    if (marker != kQcd) continue;
    for (size_t i = 0; i < has_own.size(); ++i) {
      if (!has_own[i]) read_quantisation(body, levels, parameters.quantisations[i]);
    }
  }
  return parameters;
}

}  // namespace codecs
