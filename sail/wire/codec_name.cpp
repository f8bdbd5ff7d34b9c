#include "sail/wire/codec_name.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

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

constexpr std::array<Named<CodecId>, 3> kCodecs{{
    {"dxt1", CodecId::kDxt1},
    {"dxt5", CodecId::kDxt5},
    {"dxt5ycocg", CodecId::kDxt5YCoCg},
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

}  // namespace

std::string codec_name(const StreamCodec& codec) {
  return fmt::format("{}{}", name_of(kCodecs, codec.id), name_of(kCompressions, codec.compression));
}

std::optional<StreamCodec> parse_codec_name(std::string_view name) {
  for (const auto& codec : kCodecs) {
    for (const auto& compression : kCompressions) {
      const StreamCodec candidate{codec.value, compression.value};
      if (codec_name(candidate) == name) return candidate;
    }
  }
  return std::nullopt;
}

std::vector<std::string> all_codec_names() {
  std::vector<std::string> names;
  for (const auto& codec : kCodecs) {
    for (const auto& compression : kCompressions) {
      names.push_back(codec_name({codec.value, compression.value}));
    }
  }
  return names;
}

std::string codec_spec_name(const CodecSpec& spec) {
  return fmt::format("{}:{}", codec_name(spec.codec), name_of(kModes, spec.mode));
}

Result<CodecSpec> parse_codec_spec(std::string_view text) {
  const size_t colon = text.find(':');
  const auto codec = parse_codec_name(text.substr(0, colon));
  if (!codec) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("codec '{}' is not known: there are {}", text.substr(0, colon),
                            fmt::join(all_codec_names(), ", ")));
  }
  CodecSpec spec{.codec = *codec};
  if (colon == std::string_view::npos) return spec;
  const std::string_view mode = text.substr(colon + 1);
  for (const auto& known : kModes) {
    if (known.name != mode) continue;
    spec.mode = known.value;
    return spec;
  }
  return fail(
      ErrorCode::kInvalidParams,
      fmt::format("codec '{}': mode '{}' is not known: there are fast, good and high", text, mode));
}

}  // namespace sail
