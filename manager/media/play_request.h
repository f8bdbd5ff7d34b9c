// A request to play media, from the verb "play". Stored with its window for restarts. Values only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "manager/wall/content.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/transport.h"
#include "sail/core/wire/content.h"

namespace manager {

// The player programs.
constexpr const char* kBplay = "bplay";
constexpr const char* kShow = "vitrail-show";
constexpr const char* kWeb = "vitrail-web";
constexpr const char* kVnc = "vitrail-vnc";

const char* at_end_name(AtEnd at_end);
std::optional<AtEnd> parse_at_end(std::string_view name);

// Returns the player for the request. kWeb and kVnc: web pages and remote desktops. kShow: all
// media are notes, pictures or documents by their extension, and no option for films is set. Else
// kBplay, also for pictures as logos, which may be transparent, and as stretched wallpapers.
const char* player_for(const PlayRequest& request);
// Whether it is a picture as a logo, which may have transparent parts.
bool is_pictured_logo(const PlayRequest& request);

constexpr size_t kLongestMedium = 4096;  // Bytes.
// Whether a player may open the name: a file, a drawn medium, a ticker without mistakes, a stream
// URL, a server film, a web page or a remote desktop.
bool is_medium(std::string_view name);

// Whether the medium is "server://…". The film server, not a player, opens its window.
bool is_server_film(std::string_view medium);
// The server's host; empty for other media.
std::string server_host(std::string_view medium);

// Reads the field "media": 1 to 256 files, drawn media (test cards, notes, clocks), server films
// and stream URLs, or a single web page or remote desktop. Rejects names that a player would take
// for another kind of URL.
std::vector<std::string> read_media(sail::JsonFields& fields);

constexpr const char* kFallbackCard = "card";
constexpr double kMostFilmSeconds = 1e7;

// Whether the field "subtitles" is a file: neither "auto", "off" nor a number.
bool names_subtitle_file(std::string_view subtitles);

// Reads the options of films: "at_end" or "loop", "fps", "start", "rate", "volume", "deinterlace",
// "missing", "sound_track", "best_effort", "fallback" (a file, a drawn medium, a stream URL, or
// "card"), "subtitles" and "group".
void read_film_options(sail::JsonFields& fields, PlayRequest& request);

// Returns a medium's name for people: of a file or URL the last part, without the query.
std::string medium_name(const std::string& medium);

// Reads the field "on".
std::string read_node(sail::JsonFields& fields);

// Leaves out the place, which belongs to the window.
sail::Json to_json(const PlayRequest& request);
sail::Result<PlayRequest> play_request_from_json(const sail::Json& value, std::string where);
// Empty if the manager cannot start the content. window_title: the title that its program gave the
// window.
std::optional<PlayRequest> play_request_for(const sail::Content& content,
                                            const std::string& window_title);

}  // namespace manager
