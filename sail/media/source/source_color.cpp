#include "sail/media/source/source_color.h"

namespace sail {

std::optional<codecs::SourceColor> source_color(unsigned primaries, unsigned transfer) {
  using codecs::Primaries;
  using codecs::Transfer;
  constexpr unsigned kUnspecified = 2, kBt2020 = 9, kDisplayP3 = 12, kPq = 16, kHlg = 18;
  codecs::SourceColor color;
  color.transfer = transfer == kPq    ? Transfer::kPq
                   : transfer == kHlg ? Transfer::kHlg
                                      : Transfer::kSdr;
  const bool hdr = color.transfer != Transfer::kSdr;
  switch (primaries) {
    case kBt2020:
      color.primaries = Primaries::kBt2020;
      break;
    case kDisplayP3:
      color.primaries = Primaries::kP3;
      break;
    case kUnspecified:
      color.primaries = hdr ? Primaries::kBt2020 : Primaries::kBt709;
      break;
    default:
      color.primaries = Primaries::kBt709;
  }
  if (!hdr && color.primaries == Primaries::kBt709) return std::nullopt;
  return color;
}

const char* conversion_words(const codecs::SourceColor& color) {
  if (color.transfer == codecs::Transfer::kPq) return "HDR10 → SDR";
  if (color.transfer == codecs::Transfer::kHlg) return "HLG → SDR";
  return color.primaries == codecs::Primaries::kP3 ? "P3 → BT.709" : "BT.2020 → BT.709";
}

}  // namespace sail
