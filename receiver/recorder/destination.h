// Where a recording goes: into a file, or live to a URL, a device, an HLS playlist, or viewers that
// connect. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sail/core/address/address.h"

namespace receiver {

enum class LiveKind : uint8_t { kUrl, kDevice, kPlaylist, kServed };

// How to send to the live destinations of one kind.
struct LiveDestination {
  std::string_view mark;  // how its text begins; of a playlist: how its text ends
  const char* format;     // FFmpeg's name of the muxer; kServed: one with the same codecs
  const char* protocols;  // FFmpeg's protocols that may be used
  LiveKind kind = LiveKind::kUrl;
  bool needs_port = false;
  bool needs_sound = false;  // services refuse a stream without sound
};

// Null: `to` is a file.
const LiveDestination* live_destination(std::string_view to);
inline bool is_live(std::string_view to) {
  return live_destination(to) != nullptr;
}
// kServed: viewers connect to this program, at "http://HOST:PORT/whep".
constexpr const char* kWhepPath = "/whep";
bool is_served(std::string_view to);
// The address at which a served destination, without mistake, listens.
sail::Address served_address(std::string_view to);
// Returns what is wrong with the text of a destination, without its secrets; empty: nothing.
std::string destination_mistake(const std::string& to);

}  // namespace receiver
