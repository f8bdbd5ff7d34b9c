#include "sail/media/source/source_color.h"

namespace sail {
namespace {

std::string primaries_name(codecs::Primaries primaries) {
  switch (primaries) {
    case codecs::Primaries::kBt709:
      return "BT.709";
    case codecs::Primaries::kP3:
      return "P3";
    case codecs::Primaries::kBt2020:
      return "BT.2020";
  }
  return "";
}

}  // namespace

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

std::optional<codecs::SourceColor> color_to_convert(const std::optional<codecs::SourceColor>& wide,
                                                    const codecs::DisplayColor& display) {
  const codecs::SourceColor usual{.primaries = codecs::Primaries::kBt709,
                                  .transfer = codecs::Transfer::kSdr};
  const codecs::SourceColor color = wide.value_or(usual);
  const bool shown = color.transfer == usual.transfer && color.primaries == display.primaries;
  return shown ? std::nullopt : std::optional(color);
}

std::string color_name(const codecs::SourceColor& color) {
  if (color.transfer == codecs::Transfer::kSdr) return primaries_name(color.primaries);
  return color.transfer == codecs::Transfer::kPq ? "HDR10" : "HLG";
}

std::string conversion_words(const codecs::SourceColor& color,
                             const codecs::DisplayColor& display) {
  if (color.transfer == codecs::Transfer::kSdr) {
    return color_name(color) + " → " + primaries_name(display.primaries);
  }
  std::string words = color_name(color) + " → SDR";
  if (display.primaries == codecs::Primaries::kBt709) return words;
  return words + " " + primaries_name(display.primaries);
}

std::string unconverted_notice(const Picture& picture, const codecs::DisplayColor& display) {
  if (!picture.compressed || display.primaries == codecs::Primaries::kBt709) return "";
  if (picture.compressed->color.matrix == codecs::ColorMatrix::kXyz) return "";
  return "is compressed and shown without conversion: its colours are too strong on displays of " +
         primaries_name(display.primaries);
}

codecs::DisplayColor display_color(const sail_display_colors& colors) {
  codecs::DisplayColor display{.peak_nits = colors.peak_nits, .gamma = colors.gamma};
  if (colors.primaries == SAIL_PRIMARIES_P3) display.primaries = codecs::Primaries::kP3;
  if (colors.primaries == SAIL_PRIMARIES_BT2020) display.primaries = codecs::Primaries::kBt2020;
  return display;
}

}  // namespace sail
