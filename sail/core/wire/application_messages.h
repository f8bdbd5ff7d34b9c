// Control-plane messages between the manager and applications: streams, their routing maps, layout
// changes, and events. Groups (group.h), input, playback, statistics and thumbnails have headers of
// their own. sail/PROTOCOL.md is the normative text. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/parts.h"
#include "sail/core/wall/transport.h"
#include "sail/core/wall/view_transform.h"
#include "sail/core/wire/content.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/group.h"
#include "sail/core/wire/multicast_address.h"

namespace sail {

struct StreamOpened {
  static constexpr const char* kMethod = "open_stream";

  uint32_t stream = 0;
  uint32_t window = 0;  // the window that shows the stream
  uint64_t secret = 0;
  std::string codec;
  Transport transport = Transport::kTcp;
  int mtu = kDefaultMtu;    // bytes, of the path to the receivers
  bool sound = false;       // the wall plays the sound of streams
  std::string multicast{};  // address of the stream's multicast group; empty: none
  int multicast_hops = 1;   // TTL or hop limit of the group's packets
};
void fields(auto& visit, Of<StreamOpened> auto& opened) {
  visit("stream", kStreamNumber, opened.stream);
  visit("window", kStreamNumber, opened.window);
  visit("secret", Hex64(), opened.secret);
  visit("codec", kName, opened.codec);
  visit("transport", optional(kTransports), opened.transport);
  visit("mtu", optional(Whole{kMinMtu, kMaxMtu}), opened.mtu);
  visit("sound", sparse(Flag()), opened.sound);
  visit("multicast", sparse(MulticastAddress()), opened.multicast);
  visit("multicast_hops", written_if(opened.multicast_hops != 1, Whole{1, kMaxHops}),
        opened.multicast_hops);
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
  bool multicast = false;  // the receiver can be in the stream's multicast group

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
  visit("multicast", sparse(Flag()), route.multicast);
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
  std::string codec_reason{};       // a sentence for people; empty: none
  std::optional<Rect> place{};      // wall_rect; empty: the manager chooses
  // How often the picture may be halved if the window is shown smaller.
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
  std::string purpose{};  // $VITRAIL_PURPOSE, from the manager that started the program
};
void fields(auto& visit, Of<OpenStream> auto& open) {
  visit("title", Text{kMaxTitleLength}, open.title);
  visit("frame_size", Sides{kMaxFrameSide}, open.frame_size);
  visit("block_size", BlockSides(), open.block_size);
  visit("codecs", kCodecNames, open.codecs);
  visit("codec_reason", sparse(Text{kMaxCodecReason}), open.codec_reason);
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
  visit("purpose", sparse(Text{kMaxPurpose}), open.purpose);
}

// "event": notification to applications.
struct AppEvent {
  static constexpr const char* kMethod = "event";

  uint32_t stream = 0;
  // One of "close", "pause", "resume", "seek", "rate", "codec", "loop", "volume", "page",
  // "subtitles", "sound_track".
  std::string type;
  // seek: seconds from the start; rate: multiple of normal speed; loop: 0 or 1; volume: 0 to 1;
  // page: counted from 1; subtitles, sound_track: a number as in FilmTracks.
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

}  // namespace sail
