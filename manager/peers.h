// The peers of this manager: who is let in, who is there, and lines for them. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manager/author.h"
#include "manager/change_feed.h"
#include "manager/receiver_roster.h"
#include "sail/base/log.h"
#include "sail/base/system_clock.h"
#include "sail/net/loop.h"
#include "sail/net/reach.h"
#include "sail/net/rpc_service.h"
#include "sail/wall/wall.h"
#include "sail/wire/standby.h"

namespace manager {

// What a client that follows the state is told besides. All of it is told again soon, so that it
// may be left out for a client that is slow.
struct Wants {
  bool figures = false;
  bool pointers = false;
};

// A UI client: a person at the wall, or a program.
struct Client {
  std::string name;
  std::string person;            // who proved a password; empty: nobody did
  std::string colour;            // "#rrggbb"
  bool announced = false;        // others hear of it
  std::optional<Wants> wants{};  // it follows the state
};

// Whoever does what the peer asks for: its name, or what to call a client without one.
Author author_of(const sail::ServicePeer& peer);

// For whom a limit for each person counts: the name of the peer's key where that is a person's or
// has a name of its own, else the address that it comes from. Empty: an admin, who has no limit.
std::string counted_as(sail::ServicePeer& peer);
sail::Ends ends_of(sail::ServicePeer& peer);

struct PagePlace {
  std::string url;                     // empty: nowhere
  std::vector<std::string> elsewhere;  // for a client on this host: URLs for browsers on others
  std::string key_pin;                 // of its certificate (WebCertificate); empty: no TLS
};

class Peers {
 public:
  struct Options {
    sail::WallKey key;                     // as RpcService::Options
    const sail::People* people = nullptr;  // likewise
    std::string people_closed = {};        // likewise
    sail::WelcomeClock clock;              // that peers are told to go by
    uint64_t term = 1;                     // this manager's (standby.h)
    int64_t hello_ms = 0;                  // to say hello
    size_t max_peers = 0;                  // UI clients, and as many applications
    size_t max_strangers = 0;
    bool on_all_addresses = false;  // the manager listens there
  };
  struct Handlers {
    // A peer that this manager looks after is gone without having closed its connection. on_left
    // follows, and for a receiver on_receiver before it.
    std::function<void()> on_silence;
    // It joined (and is connected), or left.
    std::function<void(const ReceiverEntry&)> on_receiver;
    // One that was welcome is gone, and with it what it brought.
    std::function<void(const sail::ServicePeer&)> on_left;
    // A peer that may be believed knows of a manager of this higher term.
    std::function<void(uint64_t term)> on_outrun;
    // Where the page is, for that client.
    std::function<PagePlace(const sail::Ends&)> page;
  };
  // The wall and the feed outlive this.
  Peers(sail::Loop& loop, const sail::Wall& wall, ChangeFeed& changes, const Options& options,
        std::vector<sail::RpcVerb> verbs, Handlers handlers, const sail::Log& log);

  // Those who come are its peers.
  sail::RpcService& service() { return service_; }
  const sail::RpcService& service() const { return service_; }

  // Null when it is gone. Good until it is.
  sail::ServicePeer* find(uint64_t id) { return service_.find(id); }
  const ReceiverRoster& receivers() const { return roster_; }
  // Null when it is not connected. Recorders count.
  sail::ServicePeer* receiver(std::string_view name);
  // Lines for a receiver of that name are for this recorder: no other has the name.
  void add_recorder(const std::string& name, uint64_t peer) { recorders_.emplace(name, peer); }
  void remove_recorder(const std::string& name) { recorders_.erase(name); }
  // Where the data plane of that receiver or recorder listens, as this host reaches it.
  sail::Address data_address(sail::ServicePeer& peer) const;
  // The receiver or recorder listens on this port from now on.
  void move_data(sail::ServicePeer& peer, uint16_t port);
  // The address by which a peer reaches that receiver or recorder; "" when it is not connected.
  std::string host_for(const sail::Ends& peer, const std::string& receiver);
  std::string host_for(uint64_t peer, const std::string& receiver);
  // The figures that it told last.
  void record(const sail::ServicePeer& receiver, const sail::ReceiverStats& stats, int64_t now_ns);
  // How it is with its program, or the standby's, which the manager starts.
  void record(const std::string& name, const ReceiverRun& run);
  const sail::Wall& wall() const { return wall_; }
  uint64_t term() const { return term_; }
  // Who takes this manager's place, and where its page will be: all peers are told. "": nobody.
  // is_here: it is on this host.
  void name_standby(const std::string& address, const std::string& page, bool is_here = false);
  // As that peer reaches it.
  sail::StandbyNews standby_for(const sail::Ends& peer) const;
  const std::string& standby() const { return standby_; }
  const std::string& standby_page() const { return standby_page_; }
  const std::optional<ReceiverRun>& standby_run() const { return standby_run_; }
  // By which a program is known again that this manager, or a former one, started; "" for others.
  std::string mark_of(uint64_t id);

  // Nothing happens when it is gone.
  void notify(uint64_t id, std::string_view method, const sail::Json& params);
  void send_line(const std::vector<std::string>& receivers, std::string_view line);
  // The wall is taken down: receivers that a manager started end, whichever it was, and recorders.
  void end_receivers();

  // --- clients that follow the state
  // By id.
  const std::map<uint64_t, Client>& clients() const { return clients_; }
  // Others hear that this client is there.
  void announce(uint64_t ui);
  // Again: its wishes are replaced.
  void follow(uint64_t ui, const Wants& wants) { clients_.at(ui).wants = wants; }
  bool anybody_follows() const;
  // Everybody hears of the state: who can't keep up is disconnected in the end.
  void tell(std::string_view line);
  // Likewise, where each is told something else.
  void tell(const std::function<std::string(const sail::Ends&)>& line_for);
  // Those who want it, unless too much else still waits to be sent to them.
  void offer(bool Wants::*what, std::string_view line);
  bool anybody_wants(bool Wants::*what) const;

 private:
  sail::Result<sail::Json> welcome(sail::ServicePeer& peer);
  // What its welcome tells peers of its role.
  sail::Result<sail::Json> admit(sail::ServicePeer& peer);
  sail::Result<sail::Json> admit_receiver(const sail::Hello& hello) const;
  // The name that others see: a person's own, with the display name beside it.
  std::string shown_name(const sail::ServicePeer& peer) const;
  void joined(sail::ServicePeer& peer);
  void left(const sail::ServicePeer& peer);
  // One has come, or one has gone.
  void clients_changed();
  // Whether it can end this manager by what it says of terms.
  bool is_believed(const sail::ServicePeer& peer) const;
  // One of the palette, if possible one that no other client has.
  std::string free_colour() const;

  const sail::Wall& wall_;
  ChangeFeed& changes_;
  const sail::People* people_;
  const sail::WelcomeClock clock_;
  const uint64_t term_;
  const bool on_all_addresses_;
  std::string standby_;       // its address; "": nobody stands by
  std::string standby_page_;  // a URL, or ""
  bool standby_is_here_ = false;
  std::optional<ReceiverRun> standby_run_;
  const Handlers handlers_;
  ReceiverRoster roster_;
  std::map<uint64_t, Client> clients_;
  sail::Timer clients_pause_;  // after they were told
  bool clients_rest_ = false;  // it is not over
  bool clients_news_ = false;  // and they have changed since
  std::map<std::string, uint64_t, std::less<>> recorders_;
  std::map<uint64_t, uint16_t> moved_;  // data ports, of those that did not say them in the hello
  sail::RpcService service_;
};

}  // namespace manager
