// The wall: one canvas of wall pixels, looked at through tiles. Mullions are part of the canvas
// that no tile shows. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wire/json.h"
#include "sail/wire/packets.h"
#include "sail/wire/transport.h"

namespace sail {

// How a picture gets onto a turned panel: its upright pixel (x, y) of a w × h picture is the
// panel's own pixel
//   (x, y) at 0, (h − 1 − y, x) at 90, (w − 1 − x, h − 1 − y) at 180, (y, w − 1 − x) at 270.
struct Tile {
  std::string name;
  std::string receiver;  // name of the receiver that drives it
  Rect wall_rect;        // the part of the wall it shows, wall pixels
  Size resolution;       // its own pixels as the graphics card sees them, before rotation
  int rotation = 0;      // 0, 90, 180, 270: degrees clockwise that the picture is turned
  bool has_window_at = false;
  int window_x = 0;  // where its window goes on the node's desktop
  int window_y = 0;

  // Its own pixels with the picture upright: resolution with sides swapped for 90 and 270.
  Size upright() const {
    return rotation % 180 == 0 ? resolution : Size{resolution.height, resolution.width};
  }
  bool operator==(const Tile&) const = default;
};

// Where a receiver runs, and what whoever starts it there has to know.
struct ReceiverPlace {
  std::string name;
  std::string host;  // empty: the manager's
  // How ssh gets there; what is not told is ssh's own choice.
  std::string user{};
  int port = 0;
  std::string program{};  // of the receiver; empty: vitrail-receiver
  std::string display{};  // for its --display; empty: the manager's choice
  std::map<std::string, std::string> environment{};
  std::vector<std::string> arguments{};  // more of them
  std::string announce{};  // its address for peers on other hosts than the manager's; empty: found

  bool operator==(const ReceiverPlace&) const = default;
};

// Where an application runs: one of its own, or whatever people let play there.
struct AppPlace {
  std::string name;
  std::string host{};         // empty: the manager's
  std::string second_host{};  // where it goes on when the other is lost; empty: nowhere
  std::string user{};         // as a receiver's
  int port = 0;
  std::map<std::string, std::string> environment{};
  std::vector<std::string> command{};  // the program first; empty: it has none of its own

  bool operator==(const AppPlace&) const = default;
};

// Where a second manager runs, which takes the manager's place when that is lost. One a wall, and
// among its nodes this is its name.
struct StandbyPlace {
  static constexpr const char* kName = "standby";

  std::string host{};  // empty: the manager's
  std::string user{};  // as a receiver's
  int port = 0;
  std::string program{};  // of the manager; empty: vitrail-manager
  std::string listen{};   // "host:port" there; empty: whoever starts it chooses
  std::map<std::string, std::string> environment{};
  std::vector<std::string> arguments{};  // more of them

  bool operator==(const StandbyPlace&) const = default;
};

// What stands before the page, signs people in, and says who they are in a header of requests.
struct ProxyPlace {
  std::vector<std::string> from{};  // the addresses that it comes from, as the system writes them
  std::string header{};             // in lower case
  std::string role{};  // of people whom the manager does not know; empty: they are not let in

  bool operator==(const ProxyPlace&) const = default;
};

// Loudspeakers that play the sound of the wall's windows.
struct WallAudio {
  std::string receiver;  // whose sound card it is
  std::string device;    // the card's name there; empty: its system's choice
  int channels = 2;
  int latency_ms = 0;  // from the card to the ear
  bool pan = false;    // windows are heard from where they stand, left to right

  bool operator==(const WallAudio&) const = default;
};

struct Wall {
  std::string name;
  Size size;  // the bounding box of the tiles, which starts at (0, 0)
  std::vector<Tile> tiles;
  std::vector<ReceiverPlace> receivers;
  Transport transport = Transport::kTcp;         // of streams whose application does not say
  int mtu = kDefaultMtu;                         // of the ways to all receivers, bytes
  std::vector<WallAudio> audio{};                // of different receivers
  double pixel_pitch_mm = 0;                     // from one wall pixel to the next; 0: not told
  std::vector<AppPlace> apps{};                  // render nodes
  std::vector<std::string> manager_arguments{};  // more of its options
  std::optional<StandbyPlace> standby{};
  std::optional<ProxyPlace> proxy{};

  const Tile* find_tile(std::string_view tile_name) const;
  bool operator==(const Wall&) const = default;
};

constexpr size_t kMaxWallFileBytes = 1 << 20;

// A wall file's text: either "grid" or "tiles" (sail/wall/README.md explains every key). The error
// names the key and says what would be right.
Result<Wall> parse_wall(std::string_view text);

// Reads and parses the file.
Result<Wall> load_wall(const std::string& path);

// The wall written out in full, as a wall file with explicit tiles: parsed again it is the same
// wall.
Json wall_json(const Wall& wall);

}  // namespace sail
