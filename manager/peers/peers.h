// The peers of this manager: admission, lists, and messages to them. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manager/peers/change_feed.h"
#include "manager/peers/receiver_roster.h"
#include "manager/wall/step.h"
#include "sail/core/address/address.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/time/system_clock.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/standby.h"

namespace manager {

// What to do when the manager's port is taken (RpcService::Options).
constexpr const char* kWhenInUse = "another vitrail-manager may be running (see `vitrail ls`)";

// Optional notifications for clients that follow the state. Slow clients may miss some of them.
struct Wants {
  bool figures = false;
  bool pointers = false;
  bool drawings = false;
};

// A UI client: a person at the wall, or a program.
struct Client {
  std::string name;
  std::string person;  // Person who proved a password; empty: none.
  sail::Right right = sail::Right::kNone;
  std::string key;               // Name of the key; empty: the wall's own.
  std::string colour;            // "#rrggbb"
  bool announced = false;        // Other clients see it.
  std::optional<Wants> wants{};  // Set while it follows the state.
  std::string entry{};           // JSON text of its entry in the state, once it is announced.
};

// Returns the author of a UI client's requests; empty for other peers.
Author author_of(const sail::ServicePeer& peer);

// Returns the identity that per-person limits apply to: the key's name if it is a person's or has a
// name of its own, else the peer's address. Empty: an admin, without limits.
std::string counted_as(sail::ServicePeer& peer);
sail::Ends ends_of(sail::ServicePeer& peer);

struct PagePlace {
  std::string url;                     // Empty: no page.
  std::vector<std::string> elsewhere;  // For browsers on other hosts, if the client is on this one.
  std::string key_pin;                 // Pin of its certificate (WebCertificate); empty: no TLS.
};

class Peers {
 public:
  struct Options {
    sail::WallKey key;                     // See Authenticator::Options.
    const sail::People* people = nullptr;  // See Authenticator::Options.
    std::string people_closed = {};        // See Authenticator::Options.
    sail::WelcomeClock clock;              // Sent to peers in the welcome.
    uint64_t term = 1;                     // This manager's term (standby.h).
    int64_t hello_ms = 0;                  // Timeout for the hello.
    size_t max_peers = 0;                  // UI clients, and as many applications.
    size_t max_unauthenticated = 0;
    bool on_all_addresses = false;                  // The manager listens on all addresses.
    sail::Json linked_pages = sail::Json::array();  // Sent to UI clients: FsManagerOptions.
  };
  struct Handlers {
    // A peer has timed out instead of closing its connection. on_left follows, and for a receiver
    // on_receiver before that.
    std::function<void()> on_silence;
    // A receiver has joined (and is connected), left, or moved its data port.
    std::function<void(const ReceiverEntry&)> on_receiver;
    // An admitted peer has left.
    std::function<void(const sail::ServicePeer&)> on_left;
    // A trusted peer knows a manager with this higher term.
    std::function<void(uint64_t term)> on_fenced;
    // Returns the place of the page for that client.
    std::function<PagePlace(const sail::Ends&)> page;
    sail::VerbNoting on_noted;
    sail::VerbAdmission on_admission;
  };
  // wall and changes must outlive this object.
  Peers(sail::Loop& loop, const sail::Wall& wall, ChangeFeed& changes, const Options& options,
        std::vector<sail::RpcVerb> verbs, Handlers handlers, const sail::Log& log);

  // The service whose connections become these peers.
  sail::RpcService& service() { return service_; }
  const sail::RpcService& service() const { return service_; }

  // Null if the peer has left. Valid until it leaves.
  sail::ServicePeer* find(uint64_t id) { return service_.find(id); }
  const ReceiverRoster& receivers() const { return roster_; }
  // Null if not connected. Also finds recorders.
  sail::ServicePeer* receiver(std::string_view name);
  // Messages to the receiver `name` now go to this recorder. The name must be unique.
  void add_recorder(const std::string& name, uint64_t peer) { recorders_.emplace(name, peer); }
  void remove_recorder(const std::string& name) { recorders_.erase(name); }
  // Returns where the data plane of the receiver or recorder listens, as seen from this host.
  sail::Address data_address(sail::ServicePeer& peer) const;
  // The receiver or recorder now listens on this data port.
  void move_data(sail::ServicePeer& peer, uint16_t port);
  // Returns the host at which `peer` reaches that receiver or recorder; empty: not connected.
  std::string host_for(const sail::Ends& peer, const std::string& receiver);
  std::string host_for(uint64_t peer, const std::string& receiver);
  // Stores the receiver's latest statistics.
  void record(const sail::ServicePeer& receiver, const sail::ReceiverStats& stats, int64_t now_ns);
  // Stores the process status of a receiver, or of the standby, that the manager starts.
  void record(const std::string& name, const ReceiverRun& run);
  // Stores the power of a receiver's displays. Returns whether it has changed.
  bool record(const std::string& receiver, std::map<std::string, RecordedPower> power);
  const sail::Wall& wall() const { return wall_; }
  uint64_t term() const { return term_; }
  // Announces the standby and its future page to all peers. Empty: none. is_here: on this host.
  void name_standby(const std::string& address, const std::string& page, bool is_here = false);
  // Returns the standby's address and page as that peer reaches them.
  sail::StandbyNews standby_for(const sail::Ends& peer) const;
  const std::string& standby() const { return standby_; }
  const std::string& standby_page() const { return standby_page_; }
  const std::optional<ReceiverRun>& standby_run() const { return standby_run_; }
  // Returns the mark that a program started by a manager has in its key name; empty: none.
  std::string mark_of(uint64_t id);

  // Does nothing if the peer has left.
  void notify(uint64_t id, std::string_view method, const sail::Json& params);
  void send_line(const std::vector<std::string>& receivers, std::string_view line);
  // The wall shuts down: tells all recorders and receivers to end. Manually started receivers stay.
  void end_receivers();

  // --- clients that follow the state
  // By peer id.
  const std::map<uint64_t, Client>& clients() const { return clients_; }
  // Makes the client visible to others.
  void announce(uint64_t ui);
  // Sets what the client follows; replaces its former choice.
  void follow(uint64_t ui, const Wants& wants) { clients_.at(ui).wants = wants; }
  bool has_followers() const;
  // Sends the line to all clients that follow the state. A client that cannot keep up is
  // disconnected eventually.
  void broadcast(const sail::SharedText& line);
  // Sends the line to all clients that want it.
  void broadcast(bool Wants::*what, const sail::SharedText& line);
  // Sends each client that follows the state the line for its ends, which is made once for all
  // clients that reach other hosts alike.
  void broadcast(const std::function<std::string(const sail::Ends&)>& line_for);
  // Sends the line to clients that want it, except those with too much unsent data.
  void offer(bool Wants::*what, const sail::SharedText& line);
  bool any_wants(bool Wants::*what) const;

 private:
  sail::Result<sail::Json> welcome(sail::ServicePeer& peer);
  // Admits the peer. Returns the part of the welcome that depends on its role.
  sail::Result<sail::Json> admit(sail::ServicePeer& peer);
  sail::Result<sail::Json> admit_receiver(const sail::Hello& hello) const;
  // Returns the name that others see: a person's login name, with the display name in parentheses.
  std::string shown_name(const sail::ServicePeer& peer) const;
  void joined(sail::ServicePeer& peer);
  void left(const sail::ServicePeer& peer);
  // A visible client has joined or left.
  void clients_changed();
  // Whether the peer may end this manager by reporting a higher term.
  bool is_trusted(const sail::ServicePeer& peer) const;
  // Returns a colour of the palette, if possible one that no client has.
  std::string free_colour() const;

  const sail::Wall& wall_;
  ChangeFeed& changes_;
  const sail::People* people_;
  const sail::WelcomeClock clock_;
  const uint64_t term_;
  const bool on_all_addresses_;
  const sail::Json linked_pages_;
  std::string standby_;       // Address; empty: none.
  std::string standby_page_;  // URL, or empty.
  bool standby_is_here_ = false;
  std::optional<ReceiverRun> standby_run_;
  const Handlers handlers_;
  ReceiverRoster roster_;
  std::map<uint64_t, Client> clients_;
  sail::Timer clients_pause_;  // Runs after the client list was sent.
  bool clients_rest_ = false;  // clients_pause_ is running.
  bool clients_news_ = false;  // Clients have changed during the pause.
  std::map<std::string, uint64_t, std::less<>> recorders_;
  std::map<uint64_t, uint16_t> moved_;  // Data ports unlike those in the hello, by peer id.
  sail::RpcService service_;
};

}  // namespace manager
