// Turns layout changes into transactions. Pure: time is an argument, and messages to send are
// returned as values, in order.
//
// The director handles only the first frame of each new routing map: it decides when that frame is
// shown, together with the layout. Senders and receivers schedule all other frames.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "manager/wall/peer_return.h"
#include "manager/wall/stream_maps.h"
#include "manager/wall/window_stack.h"
#include "sail/core/address/address.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/scene_change.h"

namespace manager {

// A layout change in progress. Waits until each affected stream has a frame of the new epoch at all
// its receivers, or until a timeout.
class Transaction {
 public:
  Transaction(uint64_t epoch, std::set<uint32_t> streams, int64_t started_ns)
      : epoch_(epoch),
        waiting_(std::move(streams)),
        deadline_ns_(started_ns + int64_t{sail::kTransactionTimeoutMs} * 1'000'000) {}

  uint64_t epoch() const { return epoch_; }
  // The stream is ready, or never will be.
  void confirm(uint32_t stream) { waiting_.erase(stream); }
  bool complete() const { return waiting_.empty(); }
  bool timed_out(int64_t now_ns) const { return now_ns >= deadline_ns_; }
  // Streams that are not confirmed yet.
  const std::set<uint32_t>& waiting() const { return waiting_; }

 private:
  uint64_t epoch_;
  std::set<uint32_t> waiting_;
  int64_t deadline_ns_;
};

// Messages that the director's owner must send.
struct SendScene {
  std::vector<std::string> receivers;
  sail::Scene scene;
  // Receivers that have the previous scene and need only `change`. The others need the whole scene.
  std::vector<std::string> know_the_last;
  sail::SceneChange change;
  // Recorders among the receivers, with their secrets. The scene for a recorder has its own secret
  // in place of the streams' secrets, with which the recorder could show pictures on the wall.
  std::map<std::string, uint64_t> recorders;
};
struct SendRoutes {
  uint64_t owner = 0;  // Peer id of the application.
  sail::Routes routes;
};
struct SendTakeEffect {
  uint64_t owner = 0;  // Peer id of the application.
  sail::TakeEffect taken;
};
struct SendGo {
  std::string receiver;
  sail::Go go;
};
using Order = std::variant<SendScene, SendRoutes, SendTakeEffect, SendGo>;

// Content that a rejoining receiver still shows.
struct ShownBefore {
  uint64_t epoch = 0;  // 0: nothing.
  std::vector<uint32_t> streams{};
};
class Director {
 public:
  // `windows` must outlive this object. Report its changes with layout_changed(). spacing_ns: least
  // time from the begin of a layout to the begin of the next. A burst of changes makes few layouts.
  Director(const sail::Wall& wall, const WindowStack& windows, int64_t spacing_ns = 0);

  // data: address of the receiver's data plane. shown: content of an earlier session that it still
  // shows. The receiver must not be joined already.
  void receiver_joined(const std::string& name, const sail::Address& data, int64_t now_ns,
                       const ShownBefore& shown = {}, Multicast multicast = Multicast::kNo);
  void receiver_left(const std::string& name, int64_t now_ns);
  // A receiver or an application has timed out instead of closing its connection. Call this before
  // its windows or tiles are removed: the network may be down, and more peers may time out soon.
  void peer_fell_silent(int64_t now_ns) { returning_.peer_fell_silent(now_ns); }
  // Like receiver_joined(), for a recorder that sees `view` in addition to the wall's tiles.
  // Layouts do not wait for recorders. name: differs from all receivers' names. secret: not 0.
  void recorder_joined(const std::string& name, const sail::Address& data,
                       const sail::TileView& view, uint64_t secret, int64_t now_ns);
  // A recorder that sees no tile, but the whole frames of these windows; empty: of all.
  void bridge_joined(const std::string& name, const sail::Address& data,
                     std::vector<uint32_t> windows, uint64_t secret, int64_t now_ns);
  void recorder_left(const std::string& name, int64_t now_ns);
  void layout_changed(int64_t now_ns);
  void set_identify(bool on, int64_t now_ns);
  void set_pattern(sail::TestPattern pattern, int64_t now_ns);
  // Sets whether all windows are black, and what is above the windows. Call layout_changed()
  // afterwards.
  void set_blank(bool all, std::vector<sail::SceneBlank> blanks) {
    blank_ = all;
    blanks_ = std::move(blanks);
  }
  // The next layout to begin is shown by a fade. Call layout_changed() afterwards.
  void fade_next(int fade_ms) { fade_ms_ = fade_ms; }
  // The stream's application reports the first frame of its new routing map.
  void ready(const sail::EpochReady& ready, int64_t now_ns);
  // Sets the receiver's recent peak paint time.
  void measured(const std::string& receiver, int64_t render_ns);
  // The stream has continued with these routes, made by another manager or by this one before it
  // stalled. They stay in effect while the layout needs the same routes. Call layout_changed() when
  // the stream's window exists.
  void resume(const sail::Routes& routes, int64_t now_ns);
  // Whether layouts are held back because peers of an earlier session are expected back.
  bool waits_for_peers(int64_t now_ns) const { return returning_.waits(now_ns); }
  // Whether an application that fell silent may still return to its windows.
  bool may_return(int64_t now_ns) const {
    return returning_.may_return(now_ns, maps_.any_counts());
  }
  // Call when a peer has left. Checks whether a stall of this process made all peers leave.
  void check_wall_clock(int64_t now_ns);
  // Advances time. Call about every kTickMs, and when spaced_ns() is over.
  void tick(int64_t now_ns);
  // Returns how long a change still waits for the spacing of layouts, at least 1, even if that time
  // has just passed; 0: none waits.
  int64_t spaced_ns(int64_t now_ns) const;
  static constexpr int64_t kTickMs = 50;
  // Largest epoch that is taken over from an earlier manager. Above it, too few epochs are left.
  static constexpr uint64_t kMostKeptEpoch = sail::kMaxCounter / 2;

  // Returns the queued messages, oldest first, and clears the queue.
  std::vector<Order> take_orders();

  // The epoch of the latest layout begun.
  uint64_t epoch() const { return epoch_; }
  // Whether a layout was shown without the stream's frame, and the stream has delivered none since.
  bool misses(uint32_t stream) const {
    const auto known = streams_.find(stream);
    return known != streams_.end() && known->second.silent;
  }
  // Returns the connected receivers that show the stream in the latest layout, without recorders.
  std::vector<std::string> shown_by(uint32_t stream) const;
  // Whether no layout change is pending.
  bool settled() const { return !transaction_ && !dirty_; }
  bool identify() const { return identify_; }
  sail::TestPattern pattern() const { return pattern_; }

  struct Counters {
    uint64_t layouts = 0;            // Layouts shown.
    uint64_t layouts_timed_out = 0;  // Layouts shown after a timeout.
  };
  const Counters& counters() const { return counters_; }

 private:
  using Map = StreamMaps::Map;
  using Share = StreamMaps::Share;
  // A connected receiver or recorder.
  struct Receiver {
    int64_t render_ns = 0;         // See measured().
    uint64_t last_sent_epoch = 0;  // Epoch of the last scene sent to it.
    uint64_t recorder = 0;         // Secret of a recorder; 0: not a recorder.
  };
  struct Stream {
    uint64_t owner = 0;        // Peer id of its application.
    Map map;                   // Map of the latest layout begun.
    uint64_t epoch = 0;        // Epoch of `map`.
    sail::EpochReady ready{};  // First frame of `map`; frame 0: not ready.
    // A layout timed out waiting for the stream. Layouts do not wait for it until a frame comes.
    bool silent = false;
  };

  void join(const std::string& name, StreamMaps::Destination destination, int64_t now_ns);
  void begin_if_due(int64_t now_ns);
  bool freezes_any(const std::vector<WindowStream>& streams);
  void count_group_members(std::vector<SendRoutes>& routes,
                           const std::set<uint32_t>& waits_for) const;
  void count_first_recorder(int64_t now_ns);
  // Returns whether the stream continued with the same routes as `map`. If so, `map` is in effect.
  bool resume_map(const WindowStream& stream, const Map& map);
  // Makes `map` the stream's next map. Returns the message to its application.
  SendRoutes change_map(const WindowStream& stream, Map map);
  // Continues with epochs above `epoch`, which an earlier manager has used. The first call also
  // waits for that manager's peers.
  void skip_epochs(uint64_t epoch, int64_t now_ns);
  // A peer has returned. If no receiver is connected, all peers were cut off: waits for them.
  void check_isolation(int64_t now_ns);
  bool has_owner(uint32_t stream) const;
  void wait_for_peers(int64_t now_ns);
  void forget_closed_streams();
  sail::Scene scene(const std::vector<WindowStream>& streams) const;
  SendScene send_scene(const std::vector<WindowStream>& streams);
  void commit(int64_t now_ns);
  void commit_if_complete(int64_t now_ns);
  int64_t lead_ns() const;

  const WindowStack& windows_;
  const int64_t spacing_ns_;
  int64_t next_begin_ns_ = 0;  // Earliest begin of the next layout.
  bool spaced_ = false;        // A change waits for that time.
  const sail::LostWindow lost_;
  StreamMaps maps_;
  sail::Scene scene_;  // Scene of the latest layout begun.
  std::map<std::string, Receiver> receivers_;
  std::unordered_map<uint32_t, Stream> streams_;  // Streams of the latest layout begun.
  std::set<uint32_t> changing_;  // Streams of which `map` has not taken effect yet.
  std::optional<Transaction> transaction_;
  bool any_frozen_ = false;  // In the latest layout begun.
  bool dirty_ = false;       // A change waits for the running transaction, or for the spacing.
  bool identify_ = false;
  sail::TestPattern pattern_ = sail::TestPattern::kOff;
  bool blank_ = false;
  std::vector<sail::SceneBlank> blanks_;
  int fade_ms_ = 0;  // for the next layout
  uint64_t epoch_ = 0;
  PeerReturn returning_;
  Counters counters_;
  std::vector<Order> orders_;
};

}  // namespace manager
