// Control-plane messages between the manager and receivers or recorders: the tiles, the scene, and
// when it is shown. Groups (group.h), overlays, sound and statistics have headers of their own.
// sail/PROTOCOL.md is the normative text. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/correction.h"
#include "sail/core/wall/parts.h"
#include "sail/core/wall/view_transform.h"
#include "sail/core/wire/group.h"
#include "sail/core/wire/multicast_address.h"

namespace sail {

// Configuration of one display, as sent to its receiver.
struct TileInfo {
  std::string name;
  Rect wall_rect;    // part of the wall that the tile shows
  Size resolution;   // panel pixels as mounted (before rotation)
  int rotation = 0;  // 0, 90, 180, 270: clockwise degrees that turn the picture for the panel
  std::optional<std::pair<int, int>> window_at{};  // x, y of its window on the node's desktop
  std::string output{};  // name of the node's output that shows the window; empty: any
  std::optional<Correction> correction{};

  bool operator==(const TileInfo&) const = default;
};
void fields(auto& visit, Of<TileInfo> auto& tile) {
  visit("name", kName, tile.name);
  visit("wall_rect", RectWithin{kMaxWallSide, kMaxWallSide}, tile.wall_rect);
  visit("resolution", Sides{kMaxTileSide}, tile.resolution);
  visit("rotation", QuarterTurns(), tile.rotation);
  visit("window_at", kWallPoint, tile.window_at);
  visit("output", sparse(Text{kMaxNameLength}), tile.output);
  visit("correction", Object(), tile.correction);
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
// the recorder then receives as a receiver with one tile, or whole windows. The result is
// ReceiverWelcome.
struct Record {
  static constexpr const char* kMethod = "record";

  std::optional<Rect> wall_rect{};  // empty: the whole wall, or the window's rectangle if set
  std::optional<uint32_t> window{};
  std::optional<Size> size{};  // size of the recorded pictures; empty: the manager chooses
  // For a bridge, instead of an area: all blocks of these windows' frames, visible or not. An empty
  // list: of all windows.
  std::optional<std::vector<uint32_t>> whole{};
  // The recorder's own secret, used for all windows that it is sent; never 0. After a failover the
  // recorder sends the same secret again, so that its pictures stay.
  uint64_t secret = 0;
};
void fields(auto& visit, Of<Record> auto& record) {
  visit("wall_rect", RectWithin{kMaxWallSide, kMaxWallSide}, record.wall_rect);
  visit("window", kStreamNumber, record.window);
  visit("size", Sides{kMaxTileSide}, record.size);
  constexpr List<ValueItem<read_window_number>, std::identity> kNumbers{kMaxWindows};
  visit("whole", kNumbers, record.whole);
  visit("secret", Hex64(), record.secret);
}
inline void check(JsonFields& in, const Record& record) {
  if (record.wall_rect && record.window)
    in.mistake("window", "cannot be combined with 'wall_rect'");
  if (record.whole && (record.wall_rect || record.window || record.size))
    in.mistake("whole", "cannot be combined with 'wall_rect', 'window' or 'size'");
  if (record.secret == 0) in.mistake("secret", "must not be 0");
}

// What recorders learn about a window, in addition to its place.
struct WindowSource {
  uint32_t window = 0;  // number of the window, which a stream's number need not be
  std::string title{};
  std::string owner{};    // name of its application
  int max_reduction = 0;  // how often its blocks can be halved while they are decoded

  bool operator==(const WindowSource&) const = default;
};
void fields(auto& visit, Of<WindowSource> auto& source) {
  visit("window", kStreamNumber, source.window);
  visit("title", Text{kMaxTitleLength}, source.title);
  visit("owner", Text{kMaxNameLength}, source.owner);
  visit("max_reduction", optional(kReduction), source.max_reduction);
}

// "scene": notification to receivers: the layout of an epoch. Shown when a "go" names its epoch.
struct SceneWindow {
  uint32_t window = 0;  // number of the window's stream
  uint64_t secret = 0;
  uint64_t epoch = 0;  // epoch of its routing map; frames of older epochs are not shown
  Rect wall_rect;
  Size frame_size;  // the stream's frame size, before reduction
  Size block_size;
  bool alpha = false;   // the codec has an alpha channel
  std::string codec{};  // codec name; empty: any codec that the stream's connection names
  ViewTransform look{};
  std::optional<FramePart> part{};       // the part of the frames that is shown in wall_rect
  bool dark = false;                     // the window is black, whatever frames arrive
  bool frozen = false;                   // the picture stays, whatever frames arrive later
  std::optional<WindowSource> source{};  // in scenes for recorders

  // True if windows below are visible through this one.
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
  visit("frozen", sparse(Flag()), window.frozen);
  visit("source", Object(), window.source);
}
constexpr auto kSceneWindows = objects(kMaxWindows, &SceneWindow::window);

// A picture over the whole wall, behind the mullions too, by which people adjust the panels.
enum class TestPattern : uint8_t { kOff, kRamp, kWhite, kRed, kGreen, kBlue, kGrid };
constexpr Choice<TestPattern, 7> kTestPatterns{{{TestPattern::kOff, "off"},
                                                {TestPattern::kRamp, "ramp"},
                                                {TestPattern::kWhite, "white"},
                                                {TestPattern::kRed, "red"},
                                                {TestPattern::kGreen, "green"},
                                                {TestPattern::kBlue, "blue"},
                                                {TestPattern::kGrid, "grid"}}};

// An area above the windows that people have blanked: black, with a line of text in its middle.
struct SceneBlank {
  Rect wall_rect;
  bool black = false;  // false: only the text; the windows beneath are dark
  std::string text{};

  bool operator==(const SceneBlank&) const = default;
};
void fields(auto& visit, Of<SceneBlank> auto& blank) {
  visit("wall_rect", kWindowRect, blank.wall_rect);
  visit("black", sparse(Flag()), blank.black);
  visit("text", sparse(Text{kMaxBlankText}), blank.text);
}
// The additional one is the text over the whole wall.
constexpr auto kSceneBlanks = sparse(objects(kMaxBlanks + 1));

constexpr auto kSceneFadeMs = sparse(Whole{1, kMaxSceneFadeMs});

struct Scene {
  static constexpr const char* kMethod = "scene";

  uint64_t epoch = 0;
  std::vector<SceneWindow> windows;         // bottom to top
  bool identify = false;                    // show the names of tile and node on each tile
  TestPattern pattern = TestPattern::kOff;  // over the windows
  std::vector<SceneBlank> blanks{};         // over windows, pattern and labels
  int fade_ms = 0;                          // duration of the fade to this layout; 0: a cut
};
void fields(auto& visit, Of<Scene> auto& scene) {
  visit("epoch", kCount, scene.epoch);
  visit("windows", kSceneWindows, scene.windows);
  visit("identify", Flag(), scene.identify);
  visit("pattern", sparse(kTestPatterns), scene.pattern);
  visit("blanks", kSceneBlanks, scene.blanks);
  visit("fade_ms", kSceneFadeMs, scene.fade_ms);
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

// --- the address of a receiver's data plane: sail/PROTOCOL.md, "data_port"

// The field of a receiver's or recorder's "hello" result about its data plane.
struct WelcomeReach {
  static constexpr const char* kMethod = "hello";

  // Peers on other hosts will connect: listen on all addresses and send the port with "data_port".
  bool everywhere = false;
  std::string multicast_test{};  // multicast group of test packets, to be joined; empty: none
};
void fields(auto& visit, Of<WelcomeReach> auto& welcome) {
  visit("everywhere", sparse(Flag()), welcome.everywhere);
  visit("multicast_test", sparse(MulticastAddress()), welcome.multicast_test);
}

// "data_port": notification by receivers and recorders with the port that they now listen on.
struct DataPort {
  static constexpr const char* kMethod = "data_port";

  uint16_t port = 0;
};
void fields(auto& visit, Of<DataPort> auto& data) {
  visit("port", kPort, data.port);
}

}  // namespace sail
