// Control-plane messages between the manager, SAIL and receivers, except the UI verbs
// (manager/COMMANDS.md). Statistics (stats.h), input, playback and thumbnails have headers of their
// own. sail/PROTOCOL.md is the normative text. Each message is a plain struct with a declaration of
// its fields (fields.h), used by to_json() and message_from_json<Message>(). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/parts.h"
#include "sail/core/wall/view_transform.h"
#include "sail/core/wire/content.h"
#include "sail/core/wire/group.h"
#include "sail/core/wire/stats.h"

namespace sail {

// Reads one codec name of a list.
Result<std::string> read_codec(const Json& value, const std::string& where);
constexpr auto kCodecNames = some_values<read_codec>(kMaxCodecNames);

enum class Role { kUi, kApplication, kReceiver, kRecorder };
constexpr Choice<Role, 4> kRoles{{{Role::kUi, "ui"},
                                  {Role::kApplication, "application"},
                                  {Role::kReceiver, "receiver"},
                                  {Role::kRecorder, "recorder"}}};
// The role's name in a hello.
constexpr const char* role_name(Role role) {
  return kRoles.word(role);
}

// "challenge": request that a peer with a key sends before its hello.
struct Challenge {
  static constexpr const char* kMethod = "challenge";

  std::string key{};    // key name; empty: the wall's own key
  std::string nonce{};  // chosen by the peer
};
void fields(auto& visit, Of<Challenge> auto& challenge) {
  visit("key", sparse(Text{kMaxKeyName}), challenge.key);
  visit("nonce", HexDigits{kNonceDigits}, challenge.nonce);
}
struct ChallengeAnswer {
  static constexpr const char* kMethod = "challenge";

  std::string nonce{};  // chosen by the listener
  std::string proof{};  // proves the listener's key; empty: a password is proved later
  std::string salt{};   // salt of the user's password; empty when the challenge named a key
};
void fields(auto& visit, Of<ChallengeAnswer> auto& answer) {
  visit("nonce", HexDigits{kNonceDigits}, answer.nonce);
  visit("proof", sparse(HexDigits{kProofDigits}), answer.proof);
  visit("salt", sparse(HexDigits{kNonceDigits}), answer.salt);
}

// "hello": request. The first message of a peer, or the second after a challenge.
struct Hello {
  static constexpr const char* kMethod = "hello";

  Role role = Role::kUi;
  int protocol = kControlProtocol;
  std::string key{};          // name of the proved key; empty: the wall's own key
  std::string proof{};        // empty: no key
  std::string name{};         // receiver: its name in the wall file; others: a display name
  std::string colour{};       // ui: "#rrggbb", shown with the name; empty: the manager chooses one
  uint64_t term = 0;          // highest manager term that the peer has seen (standby.h); 0: none
  uint16_t data_port = 0;     // receiver, recorder: port of its data plane
  std::string certificate{};  // receiver, recorder: fingerprint of its data plane's certificate
  std::vector<std::string> codecs{};  // receiver: names of the codecs that it decodes
  // Receiver: highest epoch of its previous session if it still shows a layout; 0: no layout.
  uint64_t epoch = 0;
  std::vector<uint32_t> streams{};  // receiver: streams of that layout; empty if too many
};
void fields(auto& visit, Of<Hello> auto& hello) {
  visit("role", kRoles, hello.role);
  visit("protocol", Whole{1, 1'000'000}, hello.protocol);
  visit("key", sparse(Text{kMaxKeyName}), hello.key);
  visit("proof", sparse(HexDigits{kProofDigits}), hello.proof);
  visit("term", sparse(kCount), hello.term);
  if (hello.role == Role::kReceiver) {
    constexpr List<ValueItem<read_window_number>, std::identity> kStreams{kMaxHelloStreams};
    visit("name", kName, hello.name);
    visit("data_port", kPort, hello.data_port);
    visit("certificate", kCertificate, hello.certificate);
    visit("codecs", kCodecNames, hello.codecs);
    visit("epoch", sparse(kCount), hello.epoch);
    visit("streams", sparse(kStreams), hello.streams);
  } else {
    visit("name", optional(Text{kMaxNameLength}), hello.name);
    if (hello.role == Role::kRecorder) {
      visit("data_port", kPort, hello.data_port);
      visit("certificate", kCertificate, hello.certificate);
    } else {
      visit("colour", sparse(Colour()), hello.colour);
    }
  }
}

// Configuration of one display, as sent to its receiver.
struct TileInfo {
  std::string name;
  Rect wall_rect;    // part of the wall that the tile shows
  Size resolution;   // panel pixels as mounted (before rotation)
  int rotation = 0;  // 0, 90, 180, 270: clockwise degrees that turn the picture for the panel
  std::optional<std::pair<int, int>> window_at{};  // x, y of its window on the node's desktop

  bool operator==(const TileInfo&) const = default;
};
void fields(auto& visit, Of<TileInfo> auto& tile) {
  visit("name", kName, tile.name);
  visit("wall_rect", RectWithin{kMaxWallSide, kMaxWallSide}, tile.wall_rect);
  visit("resolution", Sides{kMaxTileSide}, tile.resolution);
  visit("rotation", QuarterTurns(), tile.rotation);
  visit("window_at", kWallPoint, tile.window_at);
}

// Result of a receiver's "hello".
struct ReceiverWelcome {
  static constexpr const char* kMethod = "hello";

  std::string wall;
  Size wall_size;
  std::vector<TileInfo> tiles;
};
void fields(auto& visit, Of<ReceiverWelcome> auto& welcome) {
  visit("wall", Text{kMaxTitleLength}, welcome.wall);
  visit("wall_size", Sides{kMaxWallSide}, welcome.wall_size);
  visit("tiles", objects(kMaxTiles, &TileInfo::name), welcome.tiles);
}

// "record": request that a recorder sends once. It selects the part of the wall to record, which
// the recorder then receives as a receiver with one tile. The result is ReceiverWelcome.
struct Record {
  static constexpr const char* kMethod = "record";

  std::optional<Rect> wall_rect{};  // empty: the whole wall, or the window's rectangle if set
  std::optional<uint32_t> window{};
  std::optional<Size> size{};  // size of the recorded pictures; empty: the manager chooses
  // The recorder's own secret, used for all windows that it is sent; never 0. After a failover the
  // recorder sends the same secret again, so that its pictures stay.
  uint64_t secret = 0;
};
void fields(auto& visit, Of<Record> auto& record) {
  visit("wall_rect", RectWithin{kMaxWallSide, kMaxWallSide}, record.wall_rect);
  visit("window", kStreamNumber, record.window);
  visit("size", Sides{kMaxTileSide}, record.size);
  visit("secret", Hex64(), record.secret);
}
void check(JsonFields& in, const Record& record);

// The wall clock, in the result of every peer's "hello".
struct WelcomeClock {
  static constexpr const char* kMethod = "hello";

  ClockSource clock = ClockSource::kManager;
  std::string clock_name;  // managers with the same name share a clock; empty: unknown
};
void fields(auto& visit, Of<WelcomeClock> auto& welcome) {
  visit("clock", sparse(kClockSources), welcome.clock);
  visit("clock_name", sparse(Text{kMaxNameLength}), welcome.clock_name);
}

// Result of "clock", a request without parameters that applications and receivers send.
struct ClockReading {
  static constexpr const char* kMethod = "clock";

  int64_t wall_ns = 0;
};
void fields(auto& visit, Of<ClockReading> auto& reading) {
  visit("wall_ns", kTimeNs, reading.wall_ns);
}

// "scene": notification to receivers: the layout of an epoch. Shown when a "go" names its epoch.
struct SceneWindow {
  uint32_t window = 0;  // number of its stream
  uint64_t secret = 0;
  uint64_t epoch = 0;  // of its routing map; frames of older epochs are not shown
  Rect wall_rect;
  Size frame_size;  // the stream's frame size, before reduction
  Size block_size;
  bool alpha = false;   // the codec has an alpha channel
  std::string codec{};  // codec name; empty: any codec that the stream's connection names
  ViewTransform look{};
  std::optional<FramePart> part{};  // the part of the frames that is shown in wall_rect
  bool dark = false;                // the window is black, whatever frames arrive

  // True if windows beneath shine through.
  bool blended() const { return alpha || look.translucent(); }
  bool operator==(const SceneWindow&) const = default;
};
void fields(auto& visit, Of<SceneWindow> auto& window) {
  visit("window", kStreamNumber, window.window);
  visit("secret", Hex64(), window.secret);
  visit("epoch", kCount, window.epoch);
  visit("wall_rect", kWindowRect, window.wall_rect);
  visit("frame_size", Sides{kMaxFrameSide}, window.frame_size);
  visit("block_size", BlockSides(), window.block_size);
  visit("alpha", Flag(), window.alpha);
  visit("codec", sparse(Text{kMaxNameLength}), window.codec);
  visit("look", sparse(Object()), window.look);
  visit("part", Object(), window.part);
  visit("dark", sparse(Flag()), window.dark);
}
constexpr auto kSceneWindows = objects(kMaxWindows, &SceneWindow::window);

struct Scene {
  static constexpr const char* kMethod = "scene";

  uint64_t epoch = 0;
  std::vector<SceneWindow> windows;  // bottom to top
  bool identify = false;             // show the tile's name on each tile
};
void fields(auto& visit, Of<Scene> auto& scene) {
  visit("epoch", kCount, scene.epoch);
  visit("windows", kSceneWindows, scene.windows);
  visit("identify", Flag(), scene.identify);
}

// "epoch_ready": notification by applications, once per epoch. All receivers of the stream's
// routing map have a frame of this epoch and have finished all frames shown before.
struct EpochReady {
  static constexpr const char* kMethod = "epoch_ready";

  uint32_t stream = 0;
  uint64_t epoch = 0;
  uint64_t frame = 0;
  int64_t lead_ns = 0;  // time before presentation at which receivers must get "go"
};
void fields(auto& visit, Of<EpochReady> auto& ready) {
  visit("stream", kStreamNumber, ready.stream);
  visit("epoch", kCount, ready.epoch);
  visit("frame", kFrameNumber, ready.frame);
  visit("lead_ns", kTimeNs, ready.lead_ns);
}

// "take_effect": notification to applications. The stream's routes of this epoch take effect at
// `at_ns`, when the receivers show `frame`.
struct TakeEffect {
  static constexpr const char* kMethod = "take_effect";

  uint32_t stream = 0;
  uint64_t epoch = 0;
  uint64_t frame = 0;  // 0: no frame was ready in time
  int64_t at_ns = 0;   // wall time
};
void fields(auto& visit, Of<TakeEffect> auto& taken) {
  visit("stream", kStreamNumber, taken.stream);
  visit("epoch", kCount, taken.epoch);
  visit("frame", kCount, taken.frame);
  visit("at_ns", kTimeNs, taken.at_ns);
}

// "go": notification to receivers. The scene of `scene_epoch` and these frames take effect in the
// same swap at `at_ns`. Older frames of these streams are dropped.
struct Go {
  static constexpr const char* kMethod = "go";

  int64_t at_ns = 0;  // wall time
  uint64_t scene_epoch = 0;
  struct Frame {
    uint32_t stream = 0;
    uint64_t frame = 0;
    uint64_t epoch = 0;
  };
  std::vector<Frame> frames;
};
void fields(auto& visit, Of<Go::Frame> auto& frame) {
  visit("stream", kStreamNumber, frame.stream);
  visit("frame", kFrameNumber, frame.frame);
  visit("epoch", kCount, frame.epoch);
}
void fields(auto& visit, Of<Go> auto& go) {
  visit("at_ns", kTimeNs, go.at_ns);
  visit("scene_epoch", kCount, go.scene_epoch);
  visit("frames", objects(kMaxWindows, &Go::Frame::stream), go.frames);
}

// "snapshot": notification to receivers. A client that presents the secret at the data port may
// fetch the pictures of that instant, once. The client may connect before this permit arrives.
struct SnapshotPermit {
  static constexpr const char* kMethod = "snapshot";

  uint64_t secret = 0;
  int64_t at_ns = 0;  // wall time
};
void fields(auto& visit, Of<SnapshotPermit> auto& permit) {
  visit("secret", Hex64(), permit.secret);
  visit("at_ns", kTimeNs, permit.at_ns);
}

struct StreamOpened {
  static constexpr const char* kMethod = "open_stream";

  uint32_t stream = 0;
  uint32_t window = 0;  // the window that shows the stream
  uint64_t secret = 0;
  std::string codec;
  Transport transport = Transport::kTcp;
  int mtu = kDefaultMtu;  // bytes, of the path to the receivers
  bool sound = false;     // the wall plays the sound of streams
};
void fields(auto& visit, Of<StreamOpened> auto& opened) {
  visit("stream", kStreamNumber, opened.stream);
  visit("window", kStreamNumber, opened.window);
  visit("secret", Hex64(), opened.secret);
  visit("codec", kName, opened.codec);
  visit("transport", optional(kTransports), opened.transport);
  visit("mtu", optional(Whole{kMinMtu, kMaxMtu}), opened.mtu);
  visit("sound", sparse(Flag()), opened.sound);
}

// A rectangle of blocks in a route: columns and rows of the block grid.
struct BlockRect {
  int column = 0;
  int row = 0;
  int columns = 0;
  int rows = 0;

  bool operator==(const BlockRect&) const = default;
};
// Named as nlohmann::json requires for elements of lists.
void to_json(Json& json, const BlockRect& blocks);
Result<BlockRect> read_block_rect(const Json& value, const std::string& where);

struct Route {
  std::string receiver;
  std::string host;  // numeric address
  uint16_t port = 0;
  std::vector<BlockRect> blocks;  // disjoint
  // How often the picture is halved; `blocks` count in the halved picture. Equal for all receivers
  // if the stream's codec is not scalable in resolution.
  int reduction = 0;
  std::string certificate{};
  // Nonzero: the receiver is a recorder. Nothing waits for a recorder, and streams are opened to it
  // with this secret instead of their own.
  uint64_t recorder = 0;

  bool operator==(const Route&) const = default;
};
void fields(auto& visit, Of<Route> auto& route) {
  constexpr FilledText kHost{64};
  visit("receiver", kName, route.receiver);
  visit("host", kHost, route.host);
  visit("port", kPort, route.port);
  visit("certificate", kCertificate, route.certificate);
  visit("reduction", optional(kReduction), route.reduction);
  visit("recorder", sparse(Hex64()), route.recorder);
  visit("blocks", some_values<read_block_rect>(kMaxRouteRects), route.blocks);
}

struct Routes {
  static constexpr const char* kMethod = "routes";

  uint32_t stream = 0;
  uint64_t epoch = 0;
  Rect wall_rect;  // the window's position in this epoch
  std::vector<Route> routes;
  ViewTransform look{};  // view transform of the window
  // Members of the stream's group that get new routes in this epoch; all of them are waited for.
  uint32_t group_members = 0;
};
void fields(auto& visit, Of<Routes> auto& routes) {
  visit("stream", kStreamNumber, routes.stream);
  visit("epoch", kCount, routes.epoch);
  visit("wall_rect", kWindowRect, routes.wall_rect);
  visit("routes", objects(kMaxTiles, &Route::receiver), routes.routes);
  visit("look", sparse(Object()), routes.look);
  visit("group_members", sparse(Whole{2, kMaxGroupMembers}), routes.group_members);
}
void check(JsonFields& in, const Routes& routes);

// "open_stream": request by applications; the result is StreamOpened. "close_stream" with
// {"stream": N} closes the stream; the result is {}. Resume continues a stream of a lost session.
struct Resume {
  uint32_t window = 0;
  uint64_t secret = 0;
  Routes routes;  // the routes in effect
};
void fields(auto& visit, Of<Resume> auto& resume) {
  visit("window", kStreamNumber, resume.window);
  visit("secret", Hex64(), resume.secret);
  visit("routes", Object(), resume.routes);
}

struct OpenStream {
  static constexpr const char* kMethod = "open_stream";

  std::string title;
  Size frame_size;
  Size block_size;
  std::vector<std::string> codecs;  // names, best first; the result names the chosen one
  std::optional<Rect> place{};      // wall_rect; empty: the manager chooses
  // How often the picture can be halved when the window is shown that much smaller.
  int max_reduction = 0;
  // A stream of the same application that this one replaces in the layout. The old stream ends when
  // the first frame of this one is shown. 0: none.
  uint32_t replaces = 0;
  std::optional<Transport> transport{};  // empty: the wall's default
  std::optional<Content> content{};      // content to play when the window is restored
  bool takes_input = false;              // the application reads pointer, keyboard and touch input
  std::optional<Resume> resume{};        // continue with the state of a former session
  std::string group{};                   // name of the stream's group; empty: no group
  double fps = 0;                        // nominal frame rate of a group member; 0: unknown
  std::optional<Timeline> timeline{};    // timeline for the group if it has none yet
  std::optional<JoinParts> part{};       // the stream carries only a part of the window's frames
};
void fields(auto& visit, Of<OpenStream> auto& open) {
  visit("title", Text{kMaxTitleLength}, open.title);
  visit("frame_size", Sides{kMaxFrameSide}, open.frame_size);
  visit("block_size", BlockSides(), open.block_size);
  visit("codecs", kCodecNames, open.codecs);
  visit("place", kWindowRect, open.place);
  visit("max_reduction", optional(kReduction), open.max_reduction);
  visit("replaces", sparse(kStreamNumber), open.replaces);
  visit("transport", kTransports, open.transport);
  visit("content", Object(), open.content);
  visit("takes_input", sparse(Flag()), open.takes_input);
  visit("resume", Object(), open.resume);
  visit("group", sparse(Text{kMaxNameLength}), open.group);
  visit("fps", sparse(Real{0, 1000}), open.fps);
  visit("timeline", Object(), open.timeline);
  visit("part", Object(), open.part);
}

// "event": notification to applications.
struct AppEvent {
  static constexpr const char* kMethod = "event";

  uint32_t stream = 0;
  // One of "close", "pause", "resume", "seek", "rate", "codec", "loop", "volume", "page".
  std::string type;
  // seek: seconds from the start; rate: multiple of normal speed; loop: 0 or 1; volume: 0 to 1;
  // page: counted from 1.
  double value = 0;
  std::string codec{};  // codec: a codec specification, as for opening a stream
};
struct EventType {
  const char* name;
  double min = 0;  // range of the value; none if max < min
  double max = -1;
  bool whole = false;

  static const EventType* find(std::string_view name);
};
struct EventName {
  static void read(JsonFields& in, const char* name, std::string& type);
};
void fields(auto& visit, Of<AppEvent> auto& event) {
  visit("stream", kStreamNumber, event.stream);
  visit("type", EventName(), event.type);
  const EventType* type = EventType::find(event.type);
  if (type != nullptr && type->whole) {
    visit("value", Whole{static_cast<int64_t>(type->min), static_cast<int64_t>(type->max)},
          event.value);
  } else if (type != nullptr && type->max >= type->min) {
    visit("value", Real{type->min, type->max}, event.value);
  }
  if (event.type == "codec") visit("codec", kName, event.codec);
}

}  // namespace sail
