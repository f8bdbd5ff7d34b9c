// What manager, SAIL and receivers tell each other on the control plane beside the UI verbs; input,
// playback and thumbnails have headers of their own
// (manager/COMMANDS.md has the UI's verbs; sail/PROTOCOL.md the text of these). Values with to_json
// and a checking from_json each; unknown fields pass, so that versions may add some. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wire/content.h"
#include "sail/wire/json.h"
#include "sail/wire/limits.h"
#include "sail/wire/link_stats.h"

namespace sail {

enum class Role { kUi, kApplication, kReceiver };
// As a hello has it: "ui", "application", "receiver".
const char* role_name(Role role);

// "hello", request, the first message of every peer.
struct Hello {
  Role role = Role::kUi;
  int protocol = kControlProtocol;
  std::string token{};
  std::string name{};      // receiver: its name in the wall file; others: what to call them
  std::string colour{};    // ui: "#rrggbb", shown with the name; empty: the manager chooses one
  uint16_t data_port = 0;  // receiver: where its data plane listens
  std::vector<std::string> codecs{};  // receiver: names of those that it decodes
};
Json to_json(const Hello& hello);
Result<Hello> hello_from_json(const Json& params);

// One display as its receiver must know it.
struct TileInfo {
  std::string name;
  Rect wall_rect;   // what part of the wall it shows
  Size resolution;  // its own pixels, as mounted (before rotation)
  int rotation =
      0;  // 0, 90, 180, 270: degrees clockwise that the picture is turned to fit the panel
  bool has_window_at = false;
  int window_x = 0;  // where its window goes on the node's desktop
  int window_y = 0;
};
Json to_json(const TileInfo& tile);
Result<TileInfo> tile_from_json(const Json& value);

// Result of a receiver's "hello".
struct ReceiverWelcome {
  std::string wall;
  Size wall_size;
  std::vector<TileInfo> tiles;
};
Json to_json(const ReceiverWelcome& welcome);
Result<ReceiverWelcome> receiver_welcome_from_json(const Json& result);

// "clock", request without parameters by applications and receivers; this is the result.
struct ClockReading {
  int64_t wall_ns = 0;
};
Json to_json(const ClockReading& reading);
Result<ClockReading> clock_reading_from_json(const Json& result);

// "scene", notification to receivers: the layout of an epoch. Shown when a "go" names its epoch.
struct SceneWindow {
  uint32_t window = 0;  // the number of its stream
  uint64_t secret = 0;
  uint64_t epoch = 0;  // of its routing map: under this scene frames of older ones are not shown
  Rect wall_rect;
  Size frame_size;  // the stream's, before reduction
  Size block_size;
  bool alpha = false;   // blended on what lies beneath it
  std::string codec{};  // its name; empty: whatever the stream's connection says
};
struct Scene {
  uint64_t epoch = 0;
  std::vector<SceneWindow> windows;  // bottom to top
  bool identify = false;             // show the tile's name on each tile
};
Json to_json(const Scene& scene);
Result<Scene> scene_from_json(const Json& params);

// "ready", notification by receivers: the frame's blocks are all here.
struct Ready {
  uint32_t stream = 0;
  uint64_t frame = 0;
  uint64_t epoch = 0;     // of the routing map the frame was sent by
  int64_t render_ns = 0;  // how long this receiver's last frames took from "go" to the swap
};
Json to_json(const Ready& ready);
Result<Ready> ready_from_json(const Json& params);

// "go", notification to receivers: swap these frames at that instant; older ones of the streams are
// dropped. With scene_epoch, the scene of that epoch takes effect in the same swap.
struct Go {
  int64_t at_ns = 0;         // wall time
  uint64_t scene_epoch = 0;  // 0: no change of layout
  struct Frame {
    uint32_t stream = 0;
    uint64_t frame = 0;
    uint64_t epoch = 0;
  };
  std::vector<Frame> frames;
};
Json to_json(const Go& go);
Result<Go> go_from_json(const Json& params);

// "snapshot", notification to receivers: who brings the secret to the data port may have the
// pictures of that instant, once. It may come after the one who brings it.
struct SnapshotPermit {
  uint64_t secret = 0;
  int64_t at_ns = 0;  // wall time
};
Json to_json(const SnapshotPermit& permit);
Result<SnapshotPermit> snapshot_permit_from_json(const Json& params);

// "open_stream", request by applications; StreamOpened is the result. "close_stream" with
// {"stream": N} ends it; the result is {}.
struct OpenStream {
  std::string title;
  Size frame_size;
  Size block_size;
  std::vector<std::string> codecs;  // names, best first; the result's "codec" is the one chosen
  bool has_place = false;           // false: the manager chooses
  Rect place;                       // wall_rect
  // How often the pictures can be halved when the window is shown that much smaller.
  int max_reduction = 0;
  // A stream of the same application whose place in the layout this one takes when its first frame
  // is shown, and which ends with that; 0: none.
  uint32_t replaces = 0;
  std::optional<Transport> transport{};  // nothing: the wall's
  std::optional<Content> content{};      // what to play to have the window again
  bool takes_input = false;              // its application reads pointer, keys and touches
};
Json to_json(const OpenStream& open);
Result<OpenStream> open_stream_from_json(const Json& params);

struct StreamOpened {
  uint32_t stream = 0;
  uint32_t window = 0;  // that shows it
  uint64_t secret = 0;
  std::string codec;
  Transport transport = Transport::kTcp;
  int mtu = kDefaultMtu;  // of the way to the receivers, bytes
};
Json to_json(const StreamOpened& opened);
Result<StreamOpened> stream_opened_from_json(const Json& result);

// "routes", notification to applications: from now on, each receiver gets these blocks.
struct BlockRect {  // block columns and rows
  int column = 0;
  int row = 0;
  int columns = 0;
  int rows = 0;

  bool operator==(const BlockRect&) const = default;
};
struct Route {
  std::string receiver;
  std::string host;  // numeric address
  uint16_t port = 0;
  std::vector<BlockRect> blocks;  // disjoint
  // How often its pictures are halved; `blocks` count in what that leaves. The same for all
  // receivers of a stream whose codec cannot tell resolutions apart.
  int reduction = 0;

  bool operator==(const Route&) const = default;
};
struct Routes {
  uint32_t stream = 0;
  uint64_t epoch = 0;
  Rect wall_rect;  // where the window stands in this epoch
  std::vector<Route> routes;
};
Json to_json(const Routes& routes);
Result<Routes> routes_from_json(const Json& params);

// "event", notification to applications.
struct AppEvent {
  uint32_t stream = 0;
  std::string
      type;  // "close", "pause", "resume", "seek", "rate", "codec", "loop", "volume", "page"
  // seek: seconds from the start; rate: times the normal speed; loop: 0 or 1; volume: 0 to 1; page:
  // from 1
  double value = 0;
  std::string codec{};  // codec: as for opening a stream, with its options
};
Json to_json(const AppEvent& event);
Result<AppEvent> app_event_from_json(const Json& params);

// "stream_stats", notification by applications once a second: counters since the stream's start.
struct StreamStats {
  uint32_t stream = 0;
  uint64_t frames_submitted = 0;
  uint64_t frames_sent = 0;
  uint64_t frames_shown = 0;    // on every receiver of its routing map
  uint64_t frames_dropped = 0;  // at the sender or at any receiver
  uint64_t frames_skipped = 0;  // let go by the application, too late to be handed over
  uint64_t bytes_sent = 0;
  // Over the last second, from what the application would show to what is shown.
  double fps_wanted = 0;  // 0: nothing moves, or nobody knows
  double fps_submitted = 0;
  double fps_encoded = 0;
  double fps_shown = 0;
  double source_ms = 0;  // that the application took for a frame: reading, decoding, drawing
  double encode_ms = 0;  // that SAIL took for a frame
  double mbit_per_s = 0;
  double latency_ms_p50 = 0;  // submit → swapped on the last tile, over the last second
  double latency_ms_p99 = 0;
  double skew_us_p50 = 0;  // first → last tile's swap
  double skew_us_p99 = 0;
  double delay_ms = 0;   // from submission, before which no receiver has a frame ready; 0: none
  DropCounts dropped{};  // frames_dropped by cause
  std::vector<LinkStats> links{};  // at most kMaxTiles, each receiver once
};
Json to_json(const StreamStats& stats);
Result<StreamStats> stream_stats_from_json(const Json& params);

// "receiver_stats", notification by receivers once a second: counters since its start.
struct ReceiverStats {
  uint64_t frames_shown = 0;
  uint64_t frames_dropped = 0;
  uint64_t bytes_received = 0;
  uint64_t sessions_refused = 0;  // data connections ended for bad bytes
  uint64_t blocks_concealed = 0;  // unreadable: shown as they were in the frame before
  double render_ms = 0;           // mean of the last second
  double paint_pct = 0;           // of the last second that was spent painting
  double decode_ms = 0;           // of a frame that needs it, mean of the last second
  double decode_pct = 0;          // of the last second that was spent decoding
  double clock_error_us = 0;      // bound of the clock's error
};
Json to_json(const ReceiverStats& stats);
Result<ReceiverStats> receiver_stats_from_json(const Json& params);

}  // namespace sail
