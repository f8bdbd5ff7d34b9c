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

// What an application asks for: a codec's name and, after a colon, how much care is taken:
// "dxt1:fast", "dxt1+zstd:high". Without a mode it is "good".
struct CodecSpec {
  StreamCodec codec;
  codecs::DxtMode mode = codecs::DxtMode::kGood;
};
// With its mode, whichever it is.
std::string codec_spec_name(const CodecSpec& spec);
// kInvalidParams, with a sentence that lists what is possible.
Result<CodecSpec> parse_codec_spec(std::string_view text);

}  // namespace sail
