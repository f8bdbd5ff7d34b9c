#include "sail/core/wire/guest.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/byte_reader.h"

namespace sail {
namespace {

constexpr uint8_t kVideoChunk = 1;
constexpr uint8_t kSoundChunk = 2;
constexpr uint8_t kKeyFlag = 1;
constexpr size_t kMaxCodecWord = 32;
constexpr size_t kMaxMatrixWord = 16;
constexpr int64_t kMaxTimestampUs = kMaxTimeNs / 1000;

struct CodecWord {
  std::string_view begins;
  VideoCodec codec;
};
// Names as in WebCodecs.
constexpr CodecWord kCodecWords[] = {
    {"avc1.", VideoCodec::kH264}, {"vp8", VideoCodec::kVp8}, {"vp09.", VideoCodec::kVp9}};

struct MatrixWord {
  std::string_view word;
  codecs::ColorMatrix matrix;
};
// Names as in WebCodecs.
constexpr MatrixWord kMatrixWords[] = {{"bt709", codecs::ColorMatrix::kBt709},
                                       {"bt470bg", codecs::ColorMatrix::kBt601},
                                       {"smpte170m", codecs::ColorMatrix::kBt601},
                                       {"bt2020-ncl", codecs::ColorMatrix::kBt2020}};

codecs::PictureColor read_color(const Json& object, JsonFields& within) {
  JsonFields fields(object, "guest.color_space");
  const std::string word = fields.string("matrix", kMaxMatrixWord);
  codecs::PictureColor color;
  color.range = fields.boolean_or("full_range", false) ? codecs::ColorRange::kFull
                                                       : codecs::ColorRange::kLimited;
  const auto* known = std::ranges::find(kMatrixWords, word, &MatrixWord::word);
  if (known == std::end(kMatrixWords)) {
    fields.mistake("matrix", "must be bt709, bt470bg, smpte170m or bt2020-ncl");
  } else {
    color.matrix = known->matrix;
  }
  if (auto error = fields.finish_open()) within.mistake(std::move(*error));
  return color;
}

Result<GuestMessage> read_guest_text(std::string_view text) {
  const auto json = parse_json(text, kMaxGuestText);
  if (!json) return json.error();
  JsonFields fields(*json, "guest");
  const std::string type = fields.string("type", kMaxNameLength);
  GuestMessage message;
  if (type == "hello") {
    message = GuestHello{fields.string("secret", kMaxNameLength)};
  } else if (type == "video") {
    const std::string word = fields.string("codec", kMaxCodecWord);
    GuestVideo video;
    bool known = false;
    for (const CodecWord& one : kCodecWords) {
      if (!word.starts_with(one.begins)) continue;
      video.codec = one.codec;
      known = true;
    }
    if (!known) fields.mistake("codec", "must be H.264 (avc1.…), VP8 (vp8) or VP9 (vp09.…)");
    if (fields.has("color_space")) video.color = read_color(fields.object("color_space"), fields);
    message = video;
  } else {
    fields.mistake("type", "must be 'hello' or 'video'");
  }
  if (auto error = fields.finish_open()) return *error;
  return message;
}

Result<GuestMessage> read_guest_chunk(std::string_view message) {
  if (message.size() > kMaxGuestMessage) {
    return fail(ErrorCode::kLimit,
                fmt::format("a chunk is longer than {} bytes", kMaxGuestMessage));
  }
  ByteReader reader({reinterpret_cast<const uint8_t*>(message.data()), message.size()});
  const uint8_t kind = reader.u8();
  const uint8_t flags = reader.u8();
  const uint16_t zero = reader.u16();
  const int64_t timestamp_us = reader.i64();
  const bool sound = kind == kSoundChunk;
  const bool right = reader.ok() && (kind == kVideoChunk || sound) &&
                     flags <= (sound ? 0 : kKeyFlag) && zero == 0 && timestamp_us >= 0 &&
                     timestamp_us <= kMaxTimestampUs && reader.left() > 0;
  if (!right)
    return fail(ErrorCode::kInvalidRequest, "the message is not a valid chunk of video or sound");
  if (!sound) return GuestChunk{flags == kKeyFlag, timestamp_us, reader.bytes(reader.left())};
  if (message.size() > kMaxGuestSound) {
    return fail(ErrorCode::kLimit,
                fmt::format("a chunk of sound is longer than {} bytes", kMaxGuestSound));
  }
  return GuestSound{timestamp_us, reader.bytes(reader.left())};
}

}  // namespace

Result<GuestMessage> read_guest_message(std::string_view message) {
  return message.starts_with('{') ? read_guest_text(message) : read_guest_chunk(message);
}

std::string guest_word(std::string_view type) {
  return Json{{"type", type}}.dump();
}

std::string guest_close(std::string_view reason) {
  return Json{{"type", "close"}, {"reason", make_plain_text(reason, kMaxTitleLength)}}.dump();
}

}  // namespace sail
