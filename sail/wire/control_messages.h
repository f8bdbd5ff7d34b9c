// What manager, SAIL and receivers tell each other on the control plane beside the UI verbs; what
// they measure (stats.h), input, playback and thumbnails have headers of their own
// (manager/COMMANDS.md has the UI's verbs; sail/PROTOCOL.md the text of these). Plain values, each
// with a declaration of its fields (fields.h), for to_json() and message_from_json<Message>().
// Pure.
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
#include "sail/wire/group.h"
#include "sail/wire/hex_digits.h"
#include "sail/wire/json_fields.h"
#include "sail/wire/limits.h"
#include "sail/wire/look.h"
#include "sail/wire/parts.h"
#include "sail/wire/stats.h"

namespace sail {

// An element of a list of codecs: a name.
Result<std::string> read_codec(const Json& value, const std::string& where);
constexpr auto kCodecNames = some_values<read_codec>(kMaxCodecNames);

enum class Role { kUi, kApplication, kReceiver, kRecorder };
constexpr Choice<Role, 4> kRoles{{{Role::kUi, "ui"},
                                  {Role::kApplication, "application"},
                                  {Role::kReceiver, "receiver"},
                                  {Role::kRecorder, "recorder"}}};
// As a hello has it.
constexpr const char* role_name(Role role) {
  return kRoles.word(role);
}

// "challenge", request, before the hello of a peer that has a key.
struct Challenge {
  static constexpr const char* kMethod = "challenge";

  std::string key{};    // its name
  std::string nonce{};  // the peer's
};
void fields(auto& visit, Of<Challenge> auto& challenge) {
  visit("key", sparse(Text{kMaxKeyName}), challenge.key);
  visit("nonce", HexDigits{kNonceDigits}, challenge.nonce);
}
struct ChallengeAnswer {
  static constexpr const char* kMethod = "challenge";

  std::string nonce{};  // the listener's
  std::string proof{};  // that the listener has the key; empty: it proves a password later
  std::string salt{};   // for the password of a person; empty: a key was asked for
};
void fields(auto& visit, Of<ChallengeAnswer> auto& answer) {
  visit("nonce", HexDigits{kNonceDigits}, answer.nonce);
  visit("proof", sparse(HexDigits{kProofDigits}), answer.proof);
  visit("salt", sparse(HexDigits{kNonceDigits}), answer.salt);
}

// "hello", request, the first message of a peer, or the second after a challenge.
struct Hello {
  static constexpr const char* kMethod = "hello";

  Role role = Role::kUi;
  int protocol = kControlProtocol;
  std::string key{};          // the name of the key that is proved; empty: the wall's own
  std::string proof{};        // empty: no key
  std::string name{};         // receiver: its name in the wall file; others: what to call them
  std::string colour{};       // ui: "#rrggbb", shown with the name; empty: the manager chooses one
  uint64_t term = 0;          // the highest that it knows of (standby.h); 0: none
  uint16_t data_port = 0;     // receiver, recorder: where its data plane listens
  std::string certificate{};  // receiver, recorder: the fingerprint of the one that it shows there
  std::vector<std::string> codecs{};  // receiver: names of those that it decodes
  // Receiver: of the layout that it shows, from a former session; 0: none.
  uint64_t epoch = 0;
  std::vector<uint32_t> streams{};  // receiver: of that layout; none when they are too many to say
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

// One display as its receiver must know it.
struct TileInfo {
  std::string name;
  Rect wall_rect;    // what part of the wall it shows
  Size resolution;   // its own pixels, as mounted (before rotation)
  int rotation = 0;  // 0, 90, 180, 270: degrees clockwise that the picture is turned for the panel
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

// "record", request by recorders, once: what of the wall they want to see, as a receiver with one
// tile sees it. ReceiverWelcome is the result.
struct Record {
  static constexpr const char* kMethod = "record";

  std::optional<Rect> wall_rect{};  // nothing: the whole wall, or where the window stands
  std::optional<uint32_t> window{};
  std::optional<Size> size{};  // of its pictures; nothing: the manager chooses
  // The recorder's, of all windows that it is told of; never 0. The same one again at another
  // manager, so that its pictures stay.
  uint64_t secret = 0;
};
void fields(auto& visit, Of<Record> auto& record) {
  visit("wall_rect", RectWithin{kMaxWallSide, kMaxWallSide}, record.wall_rect);
  visit("window", kStreamNumber, record.window);
  visit("size", Sides{kMaxTileSide}, record.size);
  visit("secret", Hex64(), record.secret);
}
void check(JsonFields& in, const Record& record);

// What the result of every peer's "hello" tells of wall time.
struct WelcomeClock {
  static constexpr const char* kMethod = "hello";

  ClockSource clock = ClockSource::kManager;
  std::string clock_name;  // another manager that tells the same has the same clock; empty: unknown
};
void fields(auto& visit, Of<WelcomeClock> auto& welcome) {
  visit("clock", sparse(kClockSources), welcome.clock);
  visit("clock_name", sparse(Text{kMaxNameLength}), welcome.clock_name);
}

// "clock", request without parameters by applications and receivers; this is the result.
struct ClockReading {
  static constexpr const char* kMethod = "clock";

  int64_t wall_ns = 0;
};
void fields(auto& visit, Of<ClockReading> auto& reading) {
  visit("wall_ns", kTimeNs, reading.wall_ns);
}

// "scene", notification to receivers: the layout of an epoch. Shown when a "go" names its epoch.
struct SceneWindow {
  uint32_t window = 0;  // the number of its stream
  uint64_t secret = 0;
  uint64_t epoch = 0;  // of its routing map: under this scene frames of older ones are not shown
  Rect wall_rect;
  Size frame_size;  // the stream's, before reduction
  Size block_size;
  bool alpha = false;   // its codec has it
  std::string codec{};  // its name; empty: whatever the stream's connection says
  Look look{};
  std::optional<FramePart> part{};  // of the window's frames: then wall_rect is where that is
  bool dark = false;                // it is black, whatever comes

  // What lies beneath it is seen through it.
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

// "epoch_ready", notification by applications, once an epoch: a frame of it is at all receivers of
// the stream's routing map, and these have done with all frames shown before.
struct EpochReady {
  static constexpr const char* kMethod = "epoch_ready";

  uint32_t stream = 0;
  uint64_t epoch = 0;
  uint64_t frame = 0;
  int64_t lead_ns = 0;  // how long before its instant the receivers must know of a frame
};
void fields(auto& visit, Of<EpochReady> auto& ready) {
  visit("stream", kStreamNumber, ready.stream);
  visit("epoch", kCount, ready.epoch);
  visit("frame", kFrameNumber, ready.frame);
  visit("lead_ns", kTimeNs, ready.lead_ns);
}

// "take_effect", notification to applications: the stream's routes of that epoch hold from that
// instant, at which the receivers show that frame.
struct TakeEffect {
  static constexpr const char* kMethod = "take_effect";

  uint32_t stream = 0;
  uint64_t epoch = 0;
  uint64_t frame = 0;  // 0: none was ready in time
  int64_t at_ns = 0;   // wall time
};
void fields(auto& visit, Of<TakeEffect> auto& taken) {
  visit("stream", kStreamNumber, taken.stream);
  visit("epoch", kCount, taken.epoch);
  visit("frame", kCount, taken.frame);
  visit("at_ns", kTimeNs, taken.at_ns);
}

// "go", notification to receivers: the scene of that epoch takes effect at that instant, and with
// it, in the same swap, these frames; older ones of the streams are dropped.
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

// "snapshot", notification to receivers: who brings the secret to the data port may have the
// pictures of that instant, once. It may come after the one who brings it.
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
  uint32_t window = 0;  // that shows it
  uint64_t secret = 0;
  std::string codec;
  Transport transport = Transport::kTcp;
  int mtu = kDefaultMtu;  // of the way to the receivers, bytes
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

// "routes", notification to applications: from now on, each receiver gets these blocks.
struct BlockRect {  // block columns and rows
  int column = 0;
  int row = 0;
  int columns = 0;
  int rows = 0;

  bool operator==(const BlockRect&) const = default;
};
// As nlohmann's library asks for elements of lists.
void to_json(Json& json, const BlockRect& blocks);
Result<BlockRect> read_block_rect(const Json& value, const std::string& where);

struct Route {
  std::string receiver;
  std::string host;  // numeric address
  uint16_t port = 0;
  std::vector<BlockRect> blocks;  // disjoint
  // How often its pictures are halved; `blocks` count in what that leaves. The same for all
  // receivers of a stream whose codec cannot tell resolutions apart.
  int reduction = 0;
  std::string certificate{};
  // It is a recorder, for which nobody waits, and to which streams are opened with this secret
  // instead of their own; 0: it is none.
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
  Rect wall_rect;  // where the window stands in this epoch
  std::vector<Route> routes;
  Look look{};  // how it shows the stream
  // Of the stream's group, that have new routes in this epoch and are waited for.
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

// "open_stream", request by applications; StreamOpened is the result. "close_stream" with
// {"stream": N} ends it; the result is {}.
struct Resume {
  uint32_t window = 0;
  uint64_t secret = 0;
  Routes routes;  // in effect
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
  std::vector<std::string> codecs;  // names, best first; the result's "codec" is the one chosen
  std::optional<Rect> place{};      // wall_rect; nothing: the manager chooses
  // How often the pictures can be halved when the window is shown that much smaller.
  int max_reduction = 0;
  // A stream of the same application whose place in the layout this one takes when its first frame
  // is shown, and which ends with that; 0: none.
  uint32_t replaces = 0;
  std::optional<Transport> transport{};  // nothing: the wall's
  std::optional<Content> content{};      // what to play to have the window again
  bool takes_input = false;              // its application reads pointer, keys and touches
  std::optional<Resume> resume{};        // it goes on by what a former session was told
  std::string group{};                   // that it is a member of; empty: none
  double fps = 0;                        // nominal, of a member; 0: unknown
  std::optional<Timeline> timeline{};    // of the group, should there be none yet
  std::optional<JoinParts> part{};       // it gives a part of the window's frames
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

// "event", notification to applications.
struct AppEvent {
  static constexpr const char* kMethod = "event";

  uint32_t stream = 0;
  // "close", "pause", "resume", "seek", "rate", "codec", "loop", "volume", "page"
  std::string type;
  // seek: seconds from the start; rate: times the normal speed; loop: 0 or 1; volume: 0 to 1; page:
  // from 1
  double value = 0;
  std::string codec{};  // codec: as for opening a stream, with its options
};
struct EventType {
  const char* name;
  double min = 0;  // of the value; none without a range
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
