#include "sail/core/wire/data/codec_name.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

using codecs::CodecId;
using codecs::Compression;
using codecs::DxtMode;

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array<Named<CodecId>, 11> kCodecs{{
    {"dxt1", CodecId::kDxt1},
    {"dxt5", CodecId::kDxt5},
    {"dxt5ycocg", CodecId::kDxt5YCoCg},
    {"raw", CodecId::kRaw},
    {"j2k", CodecId::kJ2k},
    {"htj2k", CodecId::kHtj2k},
    {"h264", CodecId::kH264},
    {"h265", CodecId::kH265},
    {"av1", CodecId::kAv1},
    {"vp9", CodecId::kVp9},
    {"mjpeg", CodecId::kMjpeg},
}};
constexpr std::array<Named<Compression>, 3> kCompressions{{
    {"", Compression::kNone},
    {"+lz4", Compression::kLz4},
    {"+zstd", Compression::kZstd},
}};
constexpr std::array<Named<DxtMode>, 3> kModes{{
    {"fast", DxtMode::kFast},
    {"good", DxtMode::kGood},
    {"high", DxtMode::kHigh},
}};

template <typename Table, typename Value>
std::string_view name_of(const Table& table, Value value) {
  for (const auto& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "?";
}

// JPEG 2000 and access units are not compressible any further, so they have no second stage.
bool exists(const StreamCodec& codec) {
  const bool compressible = !codecs::is_j2k(codec.id) && !codecs::is_carried(codec.id);
  return compressible || codec.compression == Compression::kNone;
}

struct NamedUnit {
  std::string_view name;
  CodecRate::Unit unit;
  double max;
};
constexpr std::array<NamedUnit, 2> kUnits{{
    {"mbit", CodecRate::Unit::kMbitPerS, kMaxMbitPerS},
    {"bpp", CodecRate::Unit::kBitsPerPixel, kMaxBitsPerPixel},
}};

std::optional<CodecRate> parse_rate(std::string_view text) {
  if (text == "lossless") return CodecRate{CodecRate::Unit::kLossless, 0};
  for (const NamedUnit& unit : kUnits) {
    if (!text.ends_with(unit.name)) continue;
    const std::string_view number = text.substr(0, text.size() - unit.name.size());
    CodecRate rate{.unit = unit.unit, .value = 0};
    const char* end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, rate.value);
    if (error == std::errc() && stop == end && rate.value > 0 && rate.value <= unit.max)
      return rate;
  }
  return std::nullopt;
}

std::string rate_name(const CodecRate& rate) {
  for (const NamedUnit& unit : kUnits) {
    if (unit.unit == rate.unit) return fmt::format("{:g}{}", rate.value, unit.name);
  }
  return "lossless";
}

}  // namespace

std::string codec_name(const StreamCodec& codec) {
  return fmt::format("{}{}", name_of(kCodecs, codec.id), name_of(kCompressions, codec.compression));
}

std::optional<StreamCodec> parse_codec_name(std::string_view name) {
  for (const auto& codec : kCodecs) {
    for (const auto& compression : kCompressions) {
      const StreamCodec candidate{codec.value, compression.value};
      if (exists(candidate) && codec_name(candidate) == name) return candidate;
    }
  }
  return std::nullopt;
}

std::vector<std::string> all_codec_names() {
  std::vector<std::string> names;
  for (const auto& codec : kCodecs) {
    for (const auto& compression : kCompressions) {
      const StreamCodec candidate{codec.value, compression.value};
      if (exists(candidate)) names.push_back(codec_name(candidate));
    }
  }
  return names;
}

std::vector<std::string> encodable_codec_names() {
  std::vector<std::string> names = all_codec_names();
  std::erase_if(names, [](const std::string& name) {
    return codecs::is_carried(parse_codec_name(name)->id);
  });
  return names;
}

std::string codec_spec_name(const CodecSpec& spec) {
  std::string name = codec_name(spec.codec);
  if (codecs::is_j2k(spec.codec.id)) return fmt::format("{}:{}", name, rate_name(spec.rate));
  if (!codecs::is_dxt(spec.codec.id)) return name;
  return fmt::format("{}:{}", name, name_of(kModes, spec.mode));
}

Result<CodecSpec> parse_codec_spec(std::string_view text) {
  const size_t colon = text.find(':');
  const auto codec = parse_codec_name(text.substr(0, colon));
  if (!codec || codecs::is_carried(codec->id)) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("unknown codec '{}': use one of {}", text.substr(0, colon),
                            fmt::join(encodable_codec_names(), ", ")));
  }
  CodecSpec spec;
  spec.codec = *codec;
  if (colon == std::string_view::npos) return spec;
  const std::string_view option = text.substr(colon + 1);
  if (codecs::is_j2k(codec->id)) {
    const auto rate = parse_rate(option);
    if (!rate) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("codec '{}': '{}' is not a rate: use lossless, bits per pixel up to "
                              "{}bpp, or megabits per second up to {}mbit",
                              text, option, kMaxBitsPerPixel, kMaxMbitPerS));
    }
    spec.rate = *rate;
    return spec;
  }
  if (!codecs::is_dxt(codec->id)) {
    return fail(ErrorCode::kInvalidParams, fmt::format("codec '{}': raw has no options", text));
  }
  for (const auto& known : kModes) {
    if (known.name != option) continue;
    spec.mode = known.value;
    return spec;
  }
  return fail(ErrorCode::kInvalidParams,
              fmt::format("codec '{}': unknown mode '{}': use fast, good or high", text, option));
}

Result<void> check_film_codec(std::string_view text) {
  if (text == kCarried || text == kCarriedIfPossible) return {};
  const auto spec = parse_codec_spec(text);
  if (spec) return {};
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}; or {} or {}", spec.error().message, kCarried, kCarriedIfPossible));
}

Result<std::string> read_codec(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && !text->empty() && text->size() <= kMaxNameLength && !name_mistake(*text)) {
    return *text;
  }
  return fail(ErrorCode::kInvalidParams, where + ": must be a codec name");
}

}  // namespace sail
