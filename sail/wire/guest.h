// What a page says to a guest (PROTOCOL.md, "Guests"): who it is, how its video is coded, and the
// video and its sound in chunks. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "codecs/format.h"
#include "sail/base/result.h"

namespace sail {

constexpr const char* kGuestPath = "/guest";
constexpr const char* kGuestProtocol = "vitrail-guest";
constexpr size_t kGuestHeaderBytes = 12;
constexpr size_t kMaxGuestMessage = size_t{4} << 20;  // bytes of a chunk with its header
constexpr size_t kMaxGuestSound = 8192;               // bytes of a chunk of sound, likewise
constexpr size_t kMaxGuestText = 1024;                // of a text message

enum class VideoCodec : uint8_t { kH264, kVp8, kVp9 };

struct GuestHello {
  std::string secret;
};
// What comes from now on, beginning with a key frame.
struct GuestVideo {
  VideoCodec codec = VideoCodec::kVp8;
  // What its components mean, whatever they say themselves; nothing: it was not told.
  std::optional<codecs::PictureColor> color{};

  bool operator==(const GuestVideo&) const = default;
};
struct GuestChunk {
  bool key = false;
  int64_t timestamp_us = 0;  // of the page's clock
  std::span<const uint8_t> bytes;
};
// A packet of Opus.
struct GuestSound {
  int64_t timestamp_us = 0;  // of a clock of the page's
  std::span<const uint8_t> bytes;
};
using GuestMessage = std::variant<GuestHello, GuestVideo, GuestChunk, GuestSound>;

// A chunk refers to the message. kInvalidRequest, kLimit.
Result<GuestMessage> read_guest_message(std::string_view message);

// What a guest says to its page.
std::string guest_word(std::string_view type);
std::string guest_close(std::string_view reason);

}  // namespace sail
