#include "sail/media/source/jp2_boxes.h"

#include <algorithm>

namespace sail {
namespace {

using codecs::ColorMatrix;
using codecs::ColorRange;
using codecs::PictureColor;
using Bytes = std::span<const uint8_t>;

constexpr uint32_t box_type(const char (&name)[5]) {
  uint32_t type = 0;
  for (int i = 0; i < 4; ++i) type = type << 8 | static_cast<uint8_t>(name[i]);
  return type;
}

uint64_t big_endian(Bytes bytes) {
  uint64_t value = 0;
  for (const uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

struct Box {
  uint32_t type = 0;
  Bytes contents;
};

// Removes a box from the front and returns it; a truncated box has the bytes available. Empty
// optional: no box.
std::optional<Box> take_box(Bytes& bytes) {
  constexpr size_t kShort = 8;
  constexpr size_t kLong = 16;
  if (bytes.size() < kShort) return std::nullopt;
  uint64_t length = big_endian(bytes.first(4));
  const auto type = static_cast<uint32_t>(big_endian(bytes.subspan(4, 4)));
  size_t head = kShort;
  if (length == 1) {
    if (bytes.size() < kLong) return std::nullopt;
    head = kLong;
    length = big_endian(bytes.subspan(kShort, kLong - kShort));
  } else if (length == 0) {
    length = bytes.size();  // the last box
  }
  if (length < head) return std::nullopt;
  const auto size = static_cast<size_t>(std::min<uint64_t>(length, bytes.size()));
  const Box box{type, bytes.subspan(head, size - head)};
  bytes = bytes.subspan(size);
  return box;
}

// Numbers of the EnumCS table in ISO/IEC 15444-1 (16 to 18) and 15444-2 (others).
std::optional<PictureColor> enumerated_color(uint64_t number) {
  switch (number) {
    case 16:  // sRGB
    case 17:  // grey
      return PictureColor{ColorMatrix::kRgb, ColorRange::kFull};
    case 18:  // sYCC
    case 24:  // e-sYCC
    case 3:   // YCbCr (2)
      return PictureColor{ColorMatrix::kBt601, ColorRange::kFull};
    case 4:  // YCbCr (3)
      return PictureColor{ColorMatrix::kBt601, ColorRange::kLimited};
    case 1:  // YCbCr (1)
      return PictureColor{ColorMatrix::kBt709, ColorRange::kLimited};
    default:
      return std::nullopt;
  }
}

// Colour by ITU-T H.273, as in 15444-15: primaries, transfer, matrix (two bytes each), range.
std::optional<PictureColor> coded_color(Bytes fields) {
  constexpr size_t kBytes = 7;
  if (fields.size() < kBytes) return std::nullopt;
  const ColorRange range = (fields[6] & 0x80) != 0 ? ColorRange::kFull : ColorRange::kLimited;
  switch (big_endian(fields.subspan(4, 2))) {
    case 0:
      return PictureColor{ColorMatrix::kRgb, ColorRange::kFull};
    case 1:
      return PictureColor{ColorMatrix::kBt709, range};
    case 5:
    case 6:
      return PictureColor{ColorMatrix::kBt601, range};
    case 9:
      return PictureColor{ColorMatrix::kBt2020, range};
    default:
      return std::nullopt;
  }
}

std::optional<PictureColor> color_box(Bytes contents) {
  constexpr size_t kHead = 3;  // method, precedence, approximation
  constexpr uint8_t kEnumerated = 1;
  constexpr uint8_t kCoded = 5;
  if (contents.size() < kHead) return std::nullopt;
  const Bytes fields = contents.subspan(kHead);
  if (contents[0] == kCoded) return coded_color(fields);
  if (contents[0] != kEnumerated || fields.size() < 4) return std::nullopt;
  return enumerated_color(big_endian(fields.first(4)));
}

// CMYK, YCCK and CIELab.
bool is_unknown_color(Bytes contents) {
  constexpr size_t kBytes = 7, kHead = 3;
  constexpr uint64_t kFirst = 12, kLast = 14;
  if (contents.size() < kBytes || contents[0] != 1) return false;
  const uint64_t number = big_endian(contents.subspan(kHead, kBytes - kHead));
  return number >= kFirst && number <= kLast;
}

// Returns true if the channel definitions assign a channel to another colour than that of its
// position.
bool reorders_colors(Bytes definitions) {
  constexpr size_t kHead = 2, kEntry = 6;
  if (definitions.size() < kHead) return false;
  definitions = definitions.subspan(kHead);
  for (; definitions.size() >= kEntry; definitions = definitions.subspan(kEntry)) {
    const uint64_t channel = big_endian(definitions.first(2));
    const bool is_color = big_endian(definitions.subspan(2, 2)) == 0;
    const uint64_t color = big_endian(definitions.subspan(4, 2));
    if (is_color && color != 0 && color != channel + 1) return true;
  }
  return false;
}

bool defines_opacity(Bytes definitions) {
  constexpr size_t kHead = 2, kEntry = 6;
  for (size_t at = kHead; at + kEntry <= definitions.size(); at += kEntry) {
    const uint64_t kind = big_endian(definitions.subspan(at + 2, 2));
    if (kind == 1 || kind == 2) return true;  // 2: the colours are multiplied by it
  }
  return false;
}

// True if the columns of a palette are not the colours in order.
bool reorders_columns(Bytes mapping) {
  constexpr size_t kEntry = 4;  // component (two bytes), kind, column
  for (size_t channel = 0; (channel + 1) * kEntry <= mapping.size(); ++channel) {
    const Bytes entry = mapping.subspan(channel * kEntry, kEntry);
    const bool by_palette = entry[2] == 1;
    if (by_palette ? entry[3] != channel : big_endian(entry.first(2)) != channel) return true;
  }
  return false;
}

void note_fault(const Box& box, BoxedCodestream& found) {
  const std::string convert = "; convert it to RGB";
  if (box.type == box_type("pclr") && found.fault.empty()) {
    found.fault = "has a palette, which is not applied" + convert;
  }
  if (box.type == box_type("colr") && !found.color && is_unknown_color(box.contents)) {
    found.fault = "has colours of CMYK or CIELab, which are not converted" + convert;
  }
  if (box.type == box_type("cdef") && defines_opacity(box.contents)) found.has_opacity = true;
  if ((box.type == box_type("cdef") && reorders_colors(box.contents)) ||
      (box.type == box_type("cmap") && reorders_columns(box.contents))) {
    found.reordered = true;
    found.fault = "has its colours in another order" + convert;
  }
}

bool begins_codestream(Bytes bytes) {
  constexpr uint8_t kStart[] = {0xFF, 0x4F, 0xFF, 0x51};  // SOC, SIZ
  return bytes.size() >= std::size(kStart) &&
         std::equal(std::begin(kStart), std::end(kStart), bytes.begin());
}

}  // namespace

std::optional<BoxedCodestream> find_codestream(Bytes bytes) {
  if (begins_codestream(bytes)) return BoxedCodestream{bytes, std::nullopt};
  BoxedCodestream found;
  while (const auto box = take_box(bytes)) {
    if (box->type == box_type("jp2c")) {
      if (!begins_codestream(box->contents)) return std::nullopt;
      found.codestream = box->contents;
      return found;
    }
    Bytes inner = box->type == box_type("jp2h") ? box->contents : Bytes();
    while (const auto field = take_box(inner)) {
      if (field->type == box_type("colr") && !found.color) found.color = color_box(field->contents);
      note_fault(*field, found);
    }
  }
  return std::nullopt;
}

std::string codestream_notice(const codecs::J2kHeader& header, const BoxedCodestream& boxed) {
  std::string notice;
  if (header.components > header.shown_components()) {
    notice = "has " + std::to_string(header.components) + " components: the first " +
             (header.shown_components() == 1 ? "one is" : "three are") + " shown" +
             (boxed.has_opacity ? ", without opacity" : "");
  }
  if (header.is_signed) {
    notice += std::string(notice.empty() ? "" : "; ") +
              "has signed samples: the least is black, the greatest white";
  }
  return notice;
}

PictureColor usual_color(const codecs::J2kHeader& header, Bytes codestream) {
  constexpr size_t kProfileAt = 6;  // Rsiz, after SOC and the marker and length of SIZ
  constexpr uint64_t kFirstCinema = 3;
  constexpr uint64_t kLastCinema = 7;
  const uint64_t profile =
      codestream.size() < kProfileAt + 2 ? 0 : big_endian(codestream.subspan(kProfileAt, 2));
  if (header.components >= 3 && profile >= kFirstCinema && profile <= kLastCinema) {
    return {ColorMatrix::kXyz, ColorRange::kFull};
  }
  const bool subsampled = header.chroma_step_x > 1 || header.chroma_step_y > 1;
  if (header.color_transform || !subsampled) return {ColorMatrix::kRgb, ColorRange::kFull};
  const bool high_definition = header.width >= 1280 || header.height >= 720;
  return {high_definition ? ColorMatrix::kBt709 : ColorMatrix::kBt601, ColorRange::kLimited};
}

PictureColor codestream_color(const codecs::J2kHeader& header, const BoxedCodestream& boxed,
                              std::optional<ColorMatrix> container_matrix,
                              std::optional<ColorRange> container_range) {
  const auto is_rgb = [](ColorMatrix matrix) {
    return matrix == ColorMatrix::kRgb || matrix == ColorMatrix::kXyz;
  };
  PictureColor color = boxed.color.value_or(usual_color(header, boxed.codestream));
  const bool rgb_like = header.components < 3 || header.color_transform;
  if (container_matrix && (!rgb_like || *container_matrix == ColorMatrix::kXyz)) {
    color = {*container_matrix, is_rgb(color.matrix) ? ColorRange::kLimited : color.range};
  } else if (rgb_like && color.matrix != ColorMatrix::kXyz) {
    color.matrix = ColorMatrix::kRgb;
  }
  if (container_range) color.range = *container_range;
  if (is_rgb(color.matrix)) color.range = ColorRange::kFull;
  return color;
}

}  // namespace sail
