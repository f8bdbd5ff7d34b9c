// Codec names: "dxt1", "dxt5", "dxt5ycocg" and "raw", each also with a lossless second stage
// ("dxt1+lz4", "dxt1+zstd"), "j2k" and "htj2k", and those of carried streams: "h264", "h265",
// "av1", "vp9", "mjpeg". Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/format.h"
#include "codecs/dxt/dxt.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {

// Codec and lossless second stage of a stream's blocks.
struct StreamCodec {
  codecs::CodecId id = codecs::CodecId::kDxt1;
  codecs::Compression compression = codecs::Compression::kNone;

  bool operator==(const StreamCodec&) const = default;
};

std::string codec_name(const StreamCodec& codec);
std::optional<StreamCodec> parse_codec_name(std::string_view name);
std::vector<std::string> all_codec_names();
// Without those of carried streams, into which no picture is encoded.
std::vector<std::string> encodable_codec_names();

// In place of a codec: a film's own, whose access units are sent undecoded.
constexpr std::string_view kCarried = "carried";
// kCarried where that is possible, else pixels.
constexpr std::string_view kCarriedIfPossible = "auto";

// Target rate of a JPEG 2000 stream.
struct CodecRate {
  enum class Unit { kLossless, kBitsPerPixel, kMbitPerS };
  Unit unit = Unit::kBitsPerPixel;
  double value = 2;  // the default is 12:1 for 24-bit pixels; unused for kLossless

  bool operator==(const CodecRate&) const = default;
};
constexpr double kMaxBitsPerPixel = 48;
constexpr double kMaxMbitPerS = 100'000;

// Codec specification of an application: a codec name and, after a colon, an option. DXT takes a
// quality mode ("dxt1:fast", "dxt1+zstd:high"; the default is "good"). JPEG 2000 takes a rate
// ("htj2k:500mbit", "j2k:1.5bpp", "htj2k:lossless").
struct CodecSpec {
  StreamCodec codec;
  codecs::DxtMode mode = codecs::DxtMode::kGood;  // DXT only
  CodecRate rate;                                 // JPEG 2000 only
};
// Includes the mode (DXT) or the rate (JPEG 2000); raw blocks have neither.
std::string codec_spec_name(const CodecSpec& spec);
// Fails with kInvalidParams; the message lists the valid values.
Result<CodecSpec> parse_codec_spec(std::string_view text);

// Checks what players of films take as a codec: a specification, kCarried or kCarriedIfPossible.
// Fails like parse_codec_spec().
Result<void> check_film_codec(std::string_view text);

// Reads one codec name of a list. The name may be unknown to this program.
Result<std::string> read_codec(const Json& value, const std::string& where);
constexpr auto kCodecNames = some_values<read_codec>(kMaxCodecNames);

}  // namespace sail
