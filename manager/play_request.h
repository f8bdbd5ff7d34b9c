// What to play: asked for by the verb "play", kept with its window to have it again. Values.
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

// The programs that the manager starts for a window, and no others.
constexpr const char* kBplay = "bplay";
constexpr const char* kShow = "vitrail-show";
constexpr const char* kWeb = "vitrail-web";
constexpr const char* kVnc = "vitrail-vnc";

// What a film does at its end: its last picture stays, it begins again, or its window goes.
enum class AtEnd : uint8_t { kHold, kLoop, kClose };
const char* at_end_name(AtEnd at_end);
std::optional<AtEnd> parse_at_end(std::string_view name);

struct PlayRequest {
  std::vector<std::string> media;
  std::string program{};            // one of those; empty: by the media
  std::string command{};            // name of a saved one, run instead of the player; then no media
  std::string on{};                 // node that it runs on; empty: as the manager does
  std::optional<sail::Rect> place;  // of the first window
  // Or where it may choose, keeping its aspect: an area, or around a point.
  std::optional<sail::Rect> within{};
  std::optional<std::pair<int, int>> centre{};
  std::optional<AtEnd> at_end{};          // nothing: as the manager's films do
  std::optional<sail::Size> page_size{};  // of a web page; nothing: the program's own
  std::optional<double> fps;
  std::optional<double> start_s;
  std::optional<double> rate{};        // times the normal speed
  std::optional<double> volume{};      // 0 to 1
  bool best_effort = false;            // of film servers, which then do not refuse it
  std::string fallback{};              // shown while a live source is silent; empty: nothing
  std::string group{};                 // that its window is a member of; empty: none
  std::optional<double> start_at_s{};  // when it begins, since 1970; once
  sail::TransportOptions transport{};
  // Name of the key that asked for it, with whose rights it is opened now and later. Empty: the
  // wall's own.
  std::string opener{};
};

// Which player is for it: kWeb and kVnc for what other machines show; kShow when all media are
// files whose names end as those of pictures and documents do, and nothing is asked for that only
// films have; else kBplay.
const char* player_for(const PlayRequest& request);

// "server://…": another program than the player opens its window.
bool is_server_film(std::string_view medium);
// The server's host; empty for other media.
std::string server_host(std::string_view medium);

// The field "media": 1 to 256 names of files, test cards, films of a server, and URLs of streams,
// or one of what other machines show. A name that a player would take for another kind of URL is a
// mistake.
std::vector<std::string> read_media(sail::JsonFields& fields);

// The field "fallback": a medium of that kind that is no film of a server, or "card".
std::string read_fallback(sail::JsonFields& fields);
constexpr const char* kFallbackCard = "card";

// The fields "at_end", and "loop": true for the same as "loop" of it.
std::optional<AtEnd> read_at_end(sail::JsonFields& fields);

// The field "on".
std::string read_node(sail::JsonFields& fields);

// Without its place, which belongs to the window.
sail::Json to_json(const PlayRequest& request);
sail::Result<PlayRequest> play_request_from_json(const sail::Json& value, std::string where);
// Nothing when the manager can't start it.
std::optional<PlayRequest> play_request_for(const sail::Content& content);

}  // namespace manager
