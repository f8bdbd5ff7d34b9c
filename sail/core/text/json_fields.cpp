#include "sail/core/text/json_fields.h"

#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr std::string_view kNoColour = R"(must be "#rrggbb", in hexadecimal digits)";

}  // namespace

void FilledText::read(JsonFields& in, const char* name, std::string& text) const {
  text = in.string(name, max_bytes);
  if (text.empty()) in.mistake(name, "must not be empty");
}

void Colour::read(JsonFields& in, const char* name, std::string& text) {
  text = in.string(name, kMaxWordLength);
  if (!text.empty() && !parse_colour(text)) in.mistake(name, kNoColour);
}

void Colour::read(JsonFields& in, const char* name, uint32_t& colour) {
  const auto read = parse_colour(in.string(name, kMaxWordLength));
  if (!read) in.mistake(name, kNoColour);
  colour = read.value_or(0);
}

Json Colour::json(uint32_t colour) {
  return colour_text(colour);
}

void HexDigits::read(JsonFields& in, const char* name, std::string& text) const {
  text = in.string(name, digits);
  if (text.size() != digits || !is_hex_text(text)) {
    in.mistake(name, fmt::format("must be {} hexadecimal digits", digits));
  }
}

void BlockSides::read(JsonFields& in, const char* name, Size& size) {
  std::tie(size.width, size.height) = in.pair(name, kMinBlockSide, kMaxBlockSide);
  if (!is_block_side(size.width) || !is_block_side(size.height)) {
    in.mistake(name, "must be two multiples of 4");
  }
}

void Numbers32::read(JsonFields& in, const char* name, std::span<uint32_t> numbers) {
  const Json& values = in.array(name, numbers.size());
  bool good = values.size() == numbers.size();
  for (size_t i = 0; good && i < numbers.size(); ++i) {
    const auto number = whole_number(values[i], 0, std::numeric_limits<uint32_t>::max());
    good = number.has_value();
    numbers[i] = static_cast<uint32_t>(number.value_or(0));
  }
  if (!good) {
    in.mistake(name, fmt::format("must be {} unsigned 32-bit integers", numbers.size()));
  }
}

}  // namespace sail
