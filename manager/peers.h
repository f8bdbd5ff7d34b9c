// The peers of this manager: who is let in, who is there, and lines for them. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "manager/change_feed.h"
#include "manager/peer.h"
#include "manager/receiver_roster.h"
#include "sail/base/log.h"
#include "sail/base/rare_log.h"
#include "sail/net/loop.h"
#include "sail/net/peer_group.h"
#include "sail/net/token_guard.h"
#include "sail/wall/wall.h"

namespace manager {

class Peers {
 public:
  struct Options {
    std::string token;     // empty: every peer is welcome
    int64_t hello_ms = 0;  // to say hello
    size_t max_peers = 0;  // UI clients, and as many applications
    size_t max_strangers = 0;
  };
  struct Handlers {
    // As Peer's.
    std::function<void(Peer&, const std::string& verb, const sail::Json& params,
                       const sail::RpcPeer::Reply&)>
        on_verb;
    // It joined (and is connected), or left.
    std::function<void(const ReceiverEntry&)> on_receiver;
    // One that was welcome is gone, and with it what it brought.
    std::function<void(const Peer&)> on_left;
    // Where the page is, for a client that reached this host there; empty: nowhere.
    std::function<std::string(const std::string& local_host)> page_url;
  };
  // The wall and the feed outlive this.
  Peers(sail::Loop& loop, const sail::Wall& wall, ChangeFeed& changes, const Options& options,
        Handlers handlers, const sail::Log& log);

  void accept(std::unique_ptr<sail::MessageChannel> channel);
  // The process has no descriptors left.
  void make_room(const sail::Error& why);
  // Who says the right token, to browsers, too.
  sail::TokenGuard& tokens() { return tokens_; }

  // With strangers.
  size_t count() const { return peers_.size(); }
  // Null when it is gone. Good until it is.
  Peer* find(uint64_t id);
  const ReceiverRoster& receivers() const { return roster_; }
  // Null when it is not connected.
  Peer* receiver(std::string_view name);
  // The figures that it told last.
  void record(const Peer& receiver, const sail::ReceiverStats& stats);
  // By which a program is known again that this manager, or a former one, started; "" for others.
  std::string mark_of(uint64_t id);
  // Destroys the peer. Nothing happens when it is gone already.
  void end(uint64_t id, std::string_view why);
  // Destroys all, and nobody hears of it.
  void clear() { peers_.clear(); }

  // Nothing happens when it is gone.
  void notify(uint64_t id, std::string_view method, const sail::Json& params);
  void send_line(const std::vector<std::string>& receivers, std::string_view line);

  // --- clients that follow the state
  // Others hear that this client is there.
  void announce(Peer& ui);
  std::vector<const Peer*> announced() const;
  // Again: its wishes are replaced.
  static void follow(Peer& ui, const Wants& wants) { ui.client().wants = wants; }
  bool anybody_follows() const;
  // Everybody hears of the state: who can't keep up is disconnected in the end.
  void tell(std::string_view line);
  // Those who want it, unless too much else still waits to be sent to them.
  void offer(bool Wants::*what, std::string_view line);
  bool anybody_wants(bool Wants::*what) const;

 private:
  void admit(Peer& peer, const sail::Hello& hello, const sail::RpcPeer::Reply& reply);
  sail::Result<void> check_hello(const sail::Hello& hello) const;
  void admit_receiver(Peer& peer, const sail::Hello& hello, const sail::RpcPeer::Reply& reply);
  void welcome_receiver(Peer& peer, ReceiverEntry& entry, const sail::Hello& hello,
                        const sail::RpcPeer::Reply& reply);
  void receiver_gone(ReceiverEntry& entry);
  // One of the palette, if possible one that no other client has.
  std::string free_colour() const;

  const sail::Wall& wall_;
  ChangeFeed& changes_;
  const Options options_;
  const Handlers handlers_;
  const Peer::Handlers peer_handlers_;
  sail::Log log_;
  sail::RareLog rare_log_;
  sail::Timer settle_;  // of the rare log
  sail::TokenGuard tokens_;
  ReceiverRoster roster_;
  sail::PeerGroup group_;
  std::map<uint64_t, std::unique_ptr<Peer>> peers_;
  uint64_t next_id_ = 1;
};

}  // namespace manager
