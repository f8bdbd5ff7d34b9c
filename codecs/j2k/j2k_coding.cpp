#include "codecs/j2k/j2k_coding.h"

#include <algorithm>
#include <optional>

namespace codecs {
namespace {

bool read_component(MarkerReader& reader, bool has_precincts, ComponentCoding& coding) {
  constexpr uint8_t kHighThroughput = 0x40, kMixed = 0x80, kVerticallyCausal = 0x08;
  coding.levels = reader.byte();
  coding.block_width_log2 = reader.byte() + 2;
  coding.block_height_log2 = reader.byte() + 2;
  const uint8_t style = reader.byte();
  const uint8_t wavelet = reader.byte();
  if (coding.levels > kMostJ2kLevels || wavelet > 1 || (style & kMixed) != 0) return false;
  if (coding.block_width_log2 > 10 || coding.block_height_log2 > 10) return false;
  if (coding.block_width_log2 + coding.block_height_log2 > 12) return false;
  coding.high_throughput = (style & kHighThroughput) != 0;
  coding.stripe_causal = (style & kVerticallyCausal) != 0;
  coding.reversible = wavelet == 1;
  if (coding.high_throughput && (style & ~(kHighThroughput | kVerticallyCausal)) != 0) return false;
  for (size_t i = 0; i <= static_cast<size_t>(coding.levels); ++i) {
    const int precinct = has_precincts ? reader.byte() : 0xff;
    const int width_log2 = precinct & 15, height_log2 = precinct >> 4;
    if (i > 0 && (width_log2 == 0 || height_log2 == 0)) return false;
    coding.precinct_width_log2[i] = static_cast<uint8_t>(width_log2);
    coding.precinct_height_log2[i] = static_cast<uint8_t>(height_log2);
  }
  return !reader.failed() && reader.left() == 0;
}

// Reads as many steps as are present.
bool read_quantisation(MarkerReader& reader, ComponentQuantisation& to) {
  constexpr int kNone = 0, kDerived = 1, kExpounded = 2;
  const int style = reader.byte(), kind = style & 31;
  if (reader.failed() || kind > kExpounded) return false;
  to.guard_bits = style >> 5;
  const auto read_step = [&]() -> BandQuantiser {
    if (kind == kNone) return {.exponent = reader.byte() >> 3};
    const int step = reader.word();
    return {.exponent = step >> 11, .mantissa = step & 0x7ff};
  };
  const size_t stated = reader.left() / (kind == kNone ? 1 : 2);
  if (kind != kDerived) {
    to.known = std::min(stated, to.bands.size());
    for (size_t i = 0; i < to.known; ++i) to.bands[i] = read_step();
    return true;
  }
  if (stated == 0) return false;
  to.known = to.bands.size();
  to.bands[0] = read_step();
  for (size_t i = 1; i < to.known; ++i) {
    // E-5: the exponent decreases by one per level towards larger bands.
    const int larger = static_cast<int>(i - 1) / 3;
    to.bands[i] = to.bands[0];
    to.bands[i].exponent = std::max(to.bands[0].exponent - larger, 0);
  }
  return true;
}

}  // namespace

bool J2kCoding::read(uint16_t marker, MarkerReader body, int components) {
  switch (marker) {
    case kCod:
      return read_default_coding(body, components);
    case kCoc:
      return read_own_coding(body, components);
    case kQcd:
      return read_default_quantisation(body, components);
    case kQcc:
      return read_own_quantisation(body, components);
    case kPoc:
      return read_order_changes(body, components);
    default:
      return false;
  }
}

void J2kCoding::begin_tile() {
  read_ = {};
}

bool J2kCoding::has_all_steps(int components) const {
  for (int i = 0; i < components; ++i) {
    const auto bands = static_cast<size_t>(3 * component(i).levels + 1);
    if (quantisations_[static_cast<size_t>(i)].known < bands) return false;
  }
  return true;
}

bool J2kCoding::has_own_components() const {
  const auto& own = read_.own_coding;
  return std::find(own.begin(), own.end(), true) != own.end();
}

int J2kCoding::least_levels(int components) const {
  int levels = kMostJ2kLevels;
  for (int i = 0; i < components; ++i) levels = std::min(levels, component(i).levels);
  return levels;
}
int J2kCoding::most_levels(int components) const {
  int levels = 0;
  for (int i = 0; i < components; ++i) levels = std::max(levels, component(i).levels);
  return levels;
}

bool J2kCoding::read_default_coding(MarkerReader body, int components) {
  if (read_.coding) return false;
  read_.coding = true;
  const uint8_t style = body.byte();  // 1: precincts follow
  const uint8_t order = body.byte();
  layers_ = body.word();
  const uint8_t transform = body.byte();
  if (style > 7 || order > 4 || layers_ == 0 || transform > 1) return false;
  color_transform_ = transform == 1;
  if (!changes_order_) runs_[0] = {.order = static_cast<Progression>(order)};
  ComponentCoding coding;
  if (!read_component(body, (style & 1) != 0, coding)) return false;
  for (size_t i = 0; i < static_cast<size_t>(components); ++i) {
    if (!read_.own_coding[i]) components_[i] = coding;
  }
  return true;
}

bool J2kCoding::read_own_coding(MarkerReader body, int components) {
  const size_t component = body.byte();
  if (component >= static_cast<size_t>(components) || read_.own_coding[component]) return false;
  read_.own_coding[component] = true;
  const uint8_t style = body.byte();  // 1: precincts follow
  return style <= 1 && read_component(body, style == 1, components_[component]);
}

bool J2kCoding::read_default_quantisation(MarkerReader body, int components) {
  if (read_.quantisation) return false;
  read_.quantisation = true;
  ComponentQuantisation quantisation;
  if (!read_quantisation(body, quantisation)) return false;
  for (size_t i = 0; i < static_cast<size_t>(components); ++i) {
    if (!read_.own_quantisation[i]) quantisations_[i] = quantisation;
  }
  return true;
}

bool J2kCoding::read_own_quantisation(MarkerReader body, int components) {
  const size_t component = body.byte();
  if (component >= static_cast<size_t>(components)) return false;
  if (read_.own_quantisation[component]) return false;
  read_.own_quantisation[component] = true;
  return read_quantisation(body, quantisations_[component]);
}

// A.6.6. Several segments of a tile are concatenated.
bool J2kCoding::read_order_changes(MarkerReader body, int components) {
  if (!read_.order) run_count_ = 0;
  read_.order = changes_order_ = true;
  if (body.left() == 0) return false;
  while (body.left() > 0) {
    if (run_count_ == kMostRuns) return false;
    PacketRun& run = runs_[run_count_++];
    run.first_resolution = body.byte();
    run.first_component = body.byte();
    run.end_layer = body.word();
    run.end_resolution = std::min<int>(body.byte(), kMostJ2kLevels + 1);
    const int end_component = body.byte();  // 0 means 256
    run.end_component = end_component == 0 ? components : std::min(end_component, components);
    const uint8_t order = body.byte();
    if (body.failed() || order > 4) return false;
    run.order = static_cast<Progression>(order);
  }
  return true;
}

}  // namespace codecs
