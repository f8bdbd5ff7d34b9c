// The requested content of a window, stored with the window for restarts. Values only;
// media/play_request.h reads and writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manager/wall/decoration.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wall/transport.h"

namespace manager {

// What a film does at its end: keep its last picture, start over, or close its window.
enum class AtEnd : uint8_t { kHold, kLoop, kClose };

struct PlayRequest {
  std::vector<std::string> media;
  std::string program{};            // A player program; empty: depends on the media.
  std::string command{};            // Saved command to run instead of a player; no media then.
  std::string on{};                 // Node that it runs on; empty: the manager's host.
  std::string title{};              // title of bplay's window; empty: the name of the medium.
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
  std::string deinterlace{};           // A word of sail::kDeinterlacings; empty: the default.
  std::string codec{};                 // See sail::check_film_codec(); empty: the default.
  std::string missing{};               // A word of sail::kMissingActions; empty: the default.
  std::string sound_track{};           // See sail::parse_sound_track(); empty: the usual one.
  bool best_effort = false;            // Film servers accept it without guaranteeing its frames.
  std::string fallback{};              // Shown while a live source is silent; empty: nothing.
  std::string subtitles{};             // "auto", "off", a number, or a file; empty: "auto".
  std::string group{};                 // Group of its window; empty: none.
  std::optional<double> start_at_s{};  // One-time start, seconds since 1970.
  sail::TransportOptions transport{};
  // Name of the requesting key, whose rights apply now and at restarts. Empty: the wall's own key.
  std::string opener{};
  std::optional<Decoration> decoration{};  // Empty: a window that people arrange.
};

inline bool is_curtain(const PlayRequest& content) {
  return content.decoration && content.decoration->kind == DecorationKind::kCurtain;
}

}  // namespace manager
