// Turns changes of the layout into transactions. Pure: time is an argument, and what must be sent
// comes out as values, in order.
//
// Of frames it hears only the first one of each new routing map: it is shown together with the
// layout, and when that is, is decided here. All others are the business of those who send them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "manager/transaction.h"
#include "manager/window_stack.h"
#include "manager/window_streams.h"
#include "sail/net/tcp.h"
#include "sail/wall/router.h"
#include "sail/wall/visibility.h"
#include "sail/wall/wall.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/limits.h"
#include "sail/wire/scene_change.h"

namespace manager {

// What the director wants sent.
struct SendScene {
  std::vector<std::string> receivers;
  sail::Scene scene;
  // Those of the receivers that know the scene before, and what has changed since; the others need
  // the whole scene.
  std::vector<std::string> know_the_last;
  sail::SceneChange change;
  // Those of the receivers that are recorders: their own secret stands for all streams', with which
  // they could show something on the wall.
  std::map<std::string, uint64_t> recorders;
};
struct SendRoutes {
  uint64_t owner = 0;  // the application, a peer
  sail::Routes routes;
};
struct SendTakeEffect {
  uint64_t owner = 0;  // the application, a peer
  sail::TakeEffect taken;
};
struct SendGo {
  std::string receiver;
  sail::Go go;
};
using Order = std::variant<SendScene, SendRoutes, SendTakeEffect, SendGo>;

// What a receiver shows that joins again.
struct ShownBefore {
  uint64_t epoch = 0;  // 0: nothing
  std::vector<uint32_t> streams{};
};

class Director {
 public:
  // The windows must outlive this; they may change between calls, and layout_changed says so.
  Director(const sail::Wall& wall, const WindowStack& windows);

  // data: where its data plane listens. It was not joined before. shown: what it shows, of a former
  // session.
  void receiver_joined(const std::string& name, const sail::Address& data, int64_t now_ns,
                       const ShownBefore& shown = {});
  void receiver_left(const std::string& name, int64_t now_ns);
  // A receiver or an application is gone, and did not close its connection. To be called before
  // what it brought goes: the network may be away, and the next to fall silent is on its way.
  void peer_fell_silent(int64_t now_ns);
  // As receiver_joined(), of one that sees this part of the wall besides the wall's tiles, and for
  // which nobody waits. Its name is no receiver's, its secret not 0.
  void recorder_joined(const std::string& name, const sail::Address& data,
                       const sail::TileView& view, uint64_t secret, int64_t now_ns);
  void recorder_left(const std::string& name, int64_t now_ns);
  void layout_changed(int64_t now_ns);
  void set_identify(bool on, int64_t now_ns);
  // From the stream's application.
  void ready(const sail::EpochReady& ready, int64_t now_ns);
  // How long it takes to paint, lately at most.
  void measured(const std::string& receiver, int64_t render_ns);
  // The stream has gone on by these routes since another manager, or this one before a nap, made
  // them. As long as the layout asks for the same, they stay in effect. layout_changed() is to
  // follow, when its window is there.
  void resume(const sail::Routes& routes, int64_t now_ns);
  // Whether no layout is begun at present: peers of a former session are expected back.
  bool waits_for_peers(int64_t now_ns) const { return now_ns < waits_until_ns_; }
  // Somebody is gone: of itself, or did this process stand still for so long that all are?
  void look_at_clock(int64_t now_ns);
  // Time passes: to be called every kTickMs or so.
  void tick(int64_t now_ns);
  static constexpr int64_t kTickMs = 50;
  // How long peers of a former session are waited for. They try again twice a second.
  static constexpr int64_t kReturnNs = 900'000'000;
  // Epochs up to here are taken over from a former manager: beyond, too few are left.
  static constexpr uint64_t kMostKeptEpoch = sail::kMaxCounter / 2;
  // For how long no layout is begun when a peer fell silent, so that those who are cut off together
  // are missed before anybody is told: they give one another up within a second, and try to come
  // back within another half.
  static constexpr int64_t kSilenceNs = 2'500'000'000;
  // Standing still for that long, a manager has lost its peers.
  static constexpr int64_t kNapNs = 3'000'000'000;

  // What came out of the calls so far, oldest first; empties the list.
  std::vector<Order> take_orders();

  // The epoch of the layout begun last.
  uint64_t epoch() const { return epoch_; }
  // A layout was shown without the stream's frame, and it has given none since.
  bool misses(uint32_t stream) const {
    const auto known = streams_.find(stream);
    return known != streams_.end() && known->second.silent;
  }
  // No change of layout is on its way.
  bool settled() const { return !transaction_ && !dirty_; }
  bool identify() const { return identify_; }

  struct Counters {
    uint64_t layouts = 0;            // shown
    uint64_t layouts_timed_out = 0;  // of these, without waiting for all
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Receiver {
    sail::Address data;
    uint64_t incarnation = 0;  // tells one stay from the next
    int64_t render_ns = 0;     // see measured()
    uint64_t told_epoch = 0;   // of the last scene it was sent
    uint64_t recorder = 0;     // its secret; 0: it is none
  };
  // One receiver's part of a stream, compared to tell whether a routing map changed.
  struct Share {
    std::string receiver;
    uint64_t incarnation = 0;
    int reduction = 0;
    std::vector<sail::BlockRect> blocks;
    bool operator==(const Share&) const = default;
  };
  struct Map {
    sail::Rect wall_rect;
    sail::Look look;
    std::vector<Share> shares;
    bool operator==(const Map&) const = default;
  };
  struct Stream {
    uint64_t owner = 0;        // its application
    Map map;                   // of the layout begun last
    uint64_t epoch = 0;        // of that map
    bool changing = false;     // the map has not taken effect yet
    sail::EpochReady ready{};  // of that map; frame 0: not yet
    // A layout timed out waiting for it and no frame came since: it is not waited for again.
    bool silent = false;
  };

  void join(const std::string& name, const sail::Address& data, uint64_t recorder, int64_t now_ns);
  // The receiver is connected, and layouts wait for it.
  bool counts(const std::string& receiver) const;
  // Of those that are joined.
  bool any_counts() const;
  void begin_if_due(int64_t now_ns);
  // Of all streams, those that are to have another map.
  struct NewMap {
    const WindowStream* stream = nullptr;
    Map map;
  };
  std::vector<NewMap> new_maps(const std::vector<WindowStream>& streams);
  void count_group_members(std::vector<SendRoutes>& routes,
                           const std::set<uint32_t>& waits_for) const;
  Map connected_map(const sail::RoutingMap& routing, const Window& window) const;
  sail::Routes routes_of(uint32_t stream, const Map& map) const;
  // The map is that of the routes by which the stream went on: it is in effect.
  bool take_up(const WindowStream& stream, const Map& map);
  // Makes the map the stream's next one; its application must hear of it.
  SendRoutes change_map(const WindowStream& stream, Map map);
  // Layouts go on beyond an epoch of a former manager. The first of them is waited with.
  void go_beyond(uint64_t epoch, int64_t now_ns);
  // The first of them is back, and there is no receiver: was this machine cut off from all?
  void look_whether_alone(int64_t now_ns);
  bool may_be_cut_off(int64_t now_ns) const;
  bool has_owner(uint32_t stream) const;
  void wait_for_peers(int64_t now_ns);
  void end_wait_when_all_are_back(int64_t now_ns);
  void forget_closed_streams();
  sail::Scene scene() const;
  SendScene send_scene();
  void commit(int64_t now_ns);
  void commit_if_complete(int64_t now_ns);
  int64_t lead_ns() const;

  const WindowStack& windows_;
  sail::Wall wall_;  // with the recorders' tiles
  sail::Router router_;
  sail::Scene scene_;                          // of the layout begun last
  std::map<std::string, Receiver> receivers_;  // connected
  std::map<uint32_t, Stream> streams_;         // of the layout begun last
  std::optional<Transaction> transaction_;
  bool dirty_ = false;  // a change waits for the transaction under way
  bool identify_ = false;
  uint64_t epoch_ = 0;
  uint64_t incarnations_ = 0;
  int64_t ticked_ns_ = 0;       // 0: never
  int64_t alone_since_ns_ = 0;  // when the last receiver left, the last time; 0: none ever did
  int64_t waits_until_ns_ = 0;  // for peers; 0: it never did
  int64_t still_until_ns_ = 0;  // since a peer fell silent; 0: none ever did
  std::set<uint32_t> awaited_;  // streams
  bool awaits_all_ = false;     // that there were, by the word of somebody who knows
  std::map<uint32_t, sail::Routes> resumed_;
  Counters counters_;
  std::vector<Order> orders_;
};

}  // namespace manager
