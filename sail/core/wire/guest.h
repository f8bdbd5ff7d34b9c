// Messages from a web page to a guest (PROTOCOL.md, "Guests"): authentication, video codec, and
// chunks of video and sound. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "codecs/base/format.h"
#include "sail/core/base/result.h"

namespace sail {

constexpr const char* kGuestPath = "/guest";
constexpr const char* kGuestProtocol = "vitrail-guest";
constexpr size_t kGuestHeaderBytes = 12;
constexpr size_t kMaxGuestMessage = size_t{4} << 20;  // bytes of a chunk including its header
constexpr size_t kMaxGuestSound = 8192;               // bytes of a sound chunk including its header
constexpr size_t kMaxGuestText = 1024;                // bytes of a text message

enum class VideoCodec : uint8_t { kH264, kVp8, kVp9 };

struct GuestHello {
  std::string secret;
};
// Codec of the following video chunks. The first chunk after it is a key frame.
struct GuestVideo {
  VideoCodec codec = VideoCodec::kVp8;
  // Colour space from the page, overrides the bitstream's; empty: unknown.
  std::optional<codecs::PictureColor> color{};

  bool operator==(const GuestVideo&) const = default;
};
struct GuestChunk {
  bool key = false;
  int64_t timestamp_us = 0;  // the page's clock
  std::span<const uint8_t> bytes;
};
// One Opus packet.
struct GuestSound {
  int64_t timestamp_us = 0;  // a clock of the page
  std::span<const uint8_t> bytes;
};
using GuestMessage = std::variant<GuestHello, GuestVideo, GuestChunk, GuestSound>;

// A chunk refers to `message`. Fails with kInvalidRequest or kLimit.
Result<GuestMessage> read_guest_message(std::string_view message);

// Messages from a guest to its page.
std::string guest_word(std::string_view type);
std::string guest_close(std::string_view reason);

}  // namespace sail
