// The wall: one canvas of wall pixels, of which each tile shows a part. Mullions are canvas that no
// tile shows. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/correction.h"
#include "sail/core/wall/display_color.h"
#include "sail/core/wall/multicast.h"
#include "sail/core/wall/power.h"
#include "sail/core/wall/transport.h"
#include "sail/core/wall/webhooks.h"
#include "sail/core/wall/witness.h"

namespace sail {

// A display panel. On a rotated panel the upright pixel (x, y) of a w × h picture is the panel's
// own pixel
//   (x, y) at 0, (h − 1 − y, x) at 90, (w − 1 − x, h − 1 − y) at 180, (y, w − 1 − x) at 270.
struct Tile {
  std::string name;
  std::string receiver;  // name of the receiver that drives it
  Rect wall_rect;        // the part of the wall that it shows, wall pixels
  Size resolution;       // physical pixels before rotation
  int rotation = 0;      // 0, 90, 180, 270: clockwise rotation of the picture
  bool has_window_at = false;
  int window_x = 0;  // position of its window on the node's desktop
  int window_y = 0;
  std::string output{};  // name of the node's output that shows its window; empty: any
  std::optional<Correction> correction{};
  std::optional<PowerControl> power{};

  // Resolution with the picture upright: sides swapped for 90 and 270.
  Size upright() const {
    return rotation % 180 == 0 ? resolution : Size{resolution.height, resolution.width};
  }
  bool operator==(const Tile&) const = default;
};

// A receiver's node, and how to start the receiver there.
struct ReceiverPlace {
  std::string name;
  std::string host;  // empty: the manager's host
  // ssh login; unset values are left to ssh.
  std::string user{};
  int port = 0;
  std::string launch{};   // command line that starts it, see launch.h; empty: ssh, or none here
  std::string program{};  // receiver program; empty: vitrail-receiver
  std::string display{};  // value of --display; empty: the manager chooses
  std::map<std::string, std::string> environment{};
  std::vector<std::string> arguments{};  // additional arguments
  std::string announce{};  // address for peers that are not on the manager's host; empty: detected
  std::optional<PowerControl> power{};

  bool operator==(const ReceiverPlace&) const = default;
};

// An application's node. It runs the configured command, or programs that users start there.
struct AppPlace {
  std::string name;
  std::string host{};         // empty: the manager's host
  std::string second_host{};  // failover host; empty: none
  std::string user{};         // see ReceiverPlace
  int port = 0;
  std::string launch{};
  std::map<std::string, std::string> environment{};
  std::vector<std::string> command{};  // program and arguments; empty: no fixed command

  bool operator==(const AppPlace&) const = default;
};

// The node of the standby manager, which takes over when the primary is lost. At most one per wall;
// kName is its node name.
struct StandbyPlace {
  static constexpr const char* kName = "standby";

  std::string host{};  // empty: the manager's host
  std::string user{};  // see ReceiverPlace
  int port = 0;
  std::string program{};  // manager program; empty: vitrail-manager
  std::string listen{};   // "host:port" to listen at; empty: the starter chooses
  std::map<std::string, std::string> environment{};
  std::vector<std::string> arguments{};  // additional arguments

  bool operator==(const StandbyPlace&) const = default;
};

// The reverse proxy that signs users in and passes their name in a request header to the page.
struct ProxyPlace {
  std::vector<std::string> from{};              // the proxy's addresses in the system's notation
  std::string header{};                         // header name, lower case
  std::string groups_header{};                  // of the users' groups, lower case; empty: none
  std::map<std::string, std::string> groups{};  // roles of users of these groups
  std::string role{};  // role of users unknown to the manager; empty: denied

  bool operator==(const ProxyPlace&) const = default;
};

// Loudspeakers that play the sound of the wall's windows.
struct WallAudio {
  std::string receiver;  // receiver with the sound card
  std::string device;    // name of the card; empty: the system's default
  int channels = 2;
  int latency_ms = 0;  // from the sound card to the listener
  bool pan = false;    // pan each window's sound to its horizontal position

  bool operator==(const WallAudio&) const = default;
};

// What happens to a window whose program is gone without having closed it.
enum class LostWindow : uint8_t {
  kClose,  // it closes, unless its program ran on a render node
  kLast,   // its last picture stays, dimmed, until the program is back or somebody closes it
  kDark,   // it stays, but black; so is the window of a silent live source
};
constexpr Choice<LostWindow, 3> kLostWindows{
    {{LostWindow::kClose, "close"}, {LostWindow::kLast, "last"}, {LostWindow::kDark, "dark"}}};

struct Wall {
  std::string name;
  Size size;  // bounding box of the tiles, from (0, 0)
  std::vector<Tile> tiles;
  std::vector<ReceiverPlace> receivers;
  Transport transport = Transport::kTcp;      // default for streams whose application sets none
  int mtu = kDefaultMtu;                      // bytes, on the paths to all receivers
  std::optional<MulticastRange> multicast{};  // for streams that several receivers need whole
  int multicast_hops = 1;                     // TTL or hop limit
  std::vector<WallAudio> audio{};             // one per receiver at most
  LostWindow lost = LostWindow::kClose;
  codecs::DisplayColor display{};                // colours of all tiles' displays
  double pixel_pitch_mm = 0;                     // distance of adjacent wall pixels; 0: unknown
  std::vector<AppPlace> apps{};                  // render nodes
  std::vector<std::string> manager_arguments{};  // additional options
  std::optional<StandbyPlace> standby{};
  std::optional<Witness> witness{};  // witness of manager and standby; empty: the receivers decide
  std::optional<ProxyPlace> proxy{};
  std::optional<PowerControl> power{};  // for receivers and tiles that have none of their own
  double power_idle_min = 0;  // minutes without a window until displays are turned off; 0: never
  std::vector<Webhook> webhooks{};

  const Tile* find_tile(std::string_view tile_name) const;
  bool operator==(const Wall&) const = default;
};

constexpr size_t kMaxWallFileBytes = 1 << 20;

// Parses a wall file's text with either "grid" or "tiles" (sail/core/wall/README.md explains every
// key). An error names the key and the correct form.
Result<Wall> parse_wall(std::string_view text);

// How to turn the displays of the receiver on and off.
NodePower node_power(const Wall& wall, std::string_view receiver);

// Reads and parses the file.
Result<Wall> load_wall(const std::string& path);

// Empty: the wall has no witness.
std::string witness_text(const Wall& wall);

// The complete wall as a wall file with explicit tiles. Parsing it gives the same wall.
Json wall_json(const Wall& wall);

}  // namespace sail
