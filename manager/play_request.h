// A request to play media, from the verb "play". Stored with its window for restarts. Values only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wire/content.h"
#include "sail/wire/json.h"
#include "sail/wire/transport.h"

namespace manager {

// The player programs.
constexpr const char* kBplay = "bplay";
constexpr const char* kShow = "vitrail-show";
constexpr const char* kWeb = "vitrail-web";
constexpr const char* kVnc = "vitrail-vnc";

// What a film does at its end: keep its last picture, start over, or close its window.
enum class AtEnd : uint8_t { kHold, kLoop, kClose };
const char* at_end_name(AtEnd at_end);
std::optional<AtEnd> parse_at_end(std::string_view name);

struct PlayRequest {
  std::vector<std::string> media;
  std::string program{};            // A player program; empty: depends on the media.
  std::string command{};            // Saved command to run instead of a player; no media then.
  std::string on{};                 // Node that it runs on; empty: the manager's host.
  std::optional<sail::Rect> place;  // Rectangle of the first window.
  // Alternatives to `place`, which keep the aspect ratio: an area to fit into, or a centre.
  std::optional<sail::Rect> within{};
  std::optional<std::pair<int, int>> centre{};
  std::optional<AtEnd> at_end{};          // Empty: the manager's default.
  std::optional<sail::Size> page_size{};  // Size of a web page; empty: the program's default.
  std::optional<double> fps;
  std::optional<double> start_s;
  std::optional<double> rate{};        // 1: normal speed.
  std::optional<double> volume{};      // 0 to 1.
  bool best_effort = false;            // Film servers accept it without guaranteeing its frames.
  std::string fallback{};              // Shown while a live source is silent; empty: nothing.
  std::string group{};                 // Group of its window; empty: none.
  std::optional<double> start_at_s{};  // One-time start, seconds since 1970.
  sail::TransportOptions transport{};
  // Name of the requesting key, whose rights apply now and at restarts. Empty: the wall's own key.
  std::string opener{};
};

// Returns the player for the request. kWeb and kVnc: web pages and remote desktops. kShow: all
// media are notes, pictures or documents by their extension, and no option for films is set. Else
// kBplay.
const char* player_for(const PlayRequest& request);

// Whether it is "server://…": another program than the player opens its window.
bool is_server_film(std::string_view medium);

// Reads the field "media": 1 to 256 files, drawn media (test cards, notes, clocks), server films
// and stream URLs, or a single web page or remote desktop. Rejects names that a player would take
// for another kind of URL.
std::vector<std::string> read_media(sail::JsonFields& fields);

// Reads the field "fallback": a file, a drawn medium, a stream URL, or "card".
std::string read_fallback(sail::JsonFields& fields);
constexpr const char* kFallbackCard = "card";

// Reads the fields "at_end" and "loop"; "loop": true means at_end "loop".
std::optional<AtEnd> read_at_end(sail::JsonFields& fields);

// Reads the field "on".
std::string read_node(sail::JsonFields& fields);

// Leaves out the place, which belongs to the window.
sail::Json to_json(const PlayRequest& request);
sail::Result<PlayRequest> play_request_from_json(const sail::Json& value, std::string where);
// Empty if the manager cannot start the content.
std::optional<PlayRequest> play_request_for(const sail::Content& content);

}  // namespace manager
