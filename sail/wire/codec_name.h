// Names of codecs: "dxt1", "dxt5", "dxt5ycocg", each also with a lossless second stage: "dxt1+lz4",
// "dxt1+zstd". Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/dxt.h"
#include "codecs/format.h"
#include "sail/base/result.h"

namespace sail {

// What a stream's blocks are.
struct StreamCodec {
  codecs::CodecId id = codecs::CodecId::kDxt1;
  codecs::Compression compression = codecs::Compression::kNone;

  bool operator==(const StreamCodec&) const = default;
};

std::string codec_name(const StreamCodec& codec);
std::optional<StreamCodec> parse_codec_name(std::string_view name);
std::vector<std::string> all_codec_names();

// How many bytes the frames of a JPEG 2000 stream may take.
struct CodecRate {
  enum class Unit { kLossless, kBitsPerPixel, kMbitPerS };
  Unit unit = Unit::kBitsPerPixel;
  double value = 2;  // 12:1 of 24-bit pixels; of kLossless none

  bool operator==(const CodecRate&) const = default;
};
constexpr double kMaxBitsPerPixel = 48;
constexpr double kMaxMbitPerS = 100'000;

// What an application asks for: a codec's name and, after a colon, how much care is taken
// ("dxt1:fast", "dxt1+zstd:high"; without a mode it is "good"), or for JPEG 2000 the rate
// ("htj2k:500mbit", "j2k:1.5bpp", "htj2k:lossless").
struct CodecSpec {
  StreamCodec codec;
  codecs::DxtMode mode = codecs::DxtMode::kGood;  // of DXT
  CodecRate rate;                                 // of JPEG 2000
};
// With its mode or rate, whichever it is; of raw blocks neither.
std::string codec_spec_name(const CodecSpec& spec);
// kInvalidParams, with a sentence that lists what is possible.
Result<CodecSpec> parse_codec_spec(std::string_view text);

}  // namespace sail
