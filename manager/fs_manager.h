// The free space manager: owns the wall, its windows and the connections of all peers; tells
// receivers where each window stands and applications where each pixel block goes. Never touches a
// pixel.
//
// It is made of rooms (ARCHITECTURE.md, "The manager's rooms"); what peers ask goes to one of them
// through the verbs. Thread: the loop's. One process may hold several (tests do).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manager/play_request.h"
#include "manager/sources.h"
#include "manager/upload_rules.h"
#include "sail/base/clock_line.h"
#include "sail/base/log.h"
#include "sail/base/system_clock.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/net/wall_key.h"
#include "sail/net/web_certificate.h"
#include "sail/wall/wall.h"
#include "sail/wire/limits.h"

namespace manager {

// How long peers have; tests make some of it short.
struct FsManagerTimes {
  int64_t hello_ms = sail::kHelloTimeoutMs;  // to say hello
  int64_t close_ms = 2000;                   // an application to close a window
  int64_t opening_ms = 400;                  // a player to open its window before it is told of
  // Programs of a restored session that still run to come back, which they try every 5 s at least.
  int64_t return_ms = 6000;
};

struct FsManagerOptions {
  sail::Wall wall;
  sail::Address listen{"127.0.0.1", sail::kDefaultControlPort};
  std::optional<sail::Address> page;  // where browsers get the page; nothing: nowhere
  bool page_may_lack = false;         // go without the page when its port is in use
  std::optional<sail::WebCertificate> page_certificate;   // nothing: it goes without TLS
  sail::WallKey key;                                      // without a secret: every peer is welcome
  sail::TlsUse tls = sail::tls_use();                     // of control connections
  bool announce = false;                                  // by mDNS, if it has a key
  sail::ClockSource clock = sail::ClockSource::kManager;  // what wall time is
  bool launch = false;                                    // start the wall's receivers and standby
  std::string display = "auto";                           // of launched receivers
  std::string receiver_program = "vitrail-receiver";
  std::string player_program = "bplay";
  std::string show_program = "vitrail-show";
  std::string web_program = "vitrail-web";
  std::string vnc_program = "vitrail-vnc";
  std::string poster_program = "vitrail-poster";
  std::string guest_program = "vitrail-guest";
  std::string standby_program = "vitrail-manager";
  std::vector<std::string> standby_options;  // see StandbyStart
  std::filesystem::path state_folder;        // of what outlives a run; empty: nothing does
  std::filesystem::path run_folder;          // of what tells the next manager who runs; likewise
  std::string restore;                       // name of a session to begin with; empty: none
  std::vector<std::string> media;            // folders of films and pictures
  UploadOptions uploads;                     // an empty folder: none are taken
  std::vector<Source> commands;              // that people may start
  std::vector<sail::Address> film_servers;   // whose films people may show
  AtEnd at_end = AtEnd::kHold;               // what films do at their end, if nobody says
  uint64_t term = 1;                         // greater than those of all managers before
  // The manager whose place this one took, and its clock.
  std::optional<sail::Address> former;
  sail::ClockLine former_clock{};
  bool took_over = false;  // what that one started is on its way here
  // Another manager has taken this one's place, with a higher term. This one must be gone at once,
  // and leave running what it started. May come again.
  std::function<void(uint64_t term)> on_outrun;
  FsManagerTimes times;
  size_t max_peers = sail::kMaxPeers;  // UI clients, and as many applications
  size_t max_strangers = sail::kMaxStrangers;
};

class Desk;
class Peers;
class WallOverlay;

class FsManager {
 public:
  // Listens. on_ended comes once, after shut_down() has done all: this may be destroyed in it.
  static sail::Result<std::unique_ptr<FsManager>> start(sail::Loop& loop, FsManagerOptions options,
                                                        const sail::Log& log,
                                                        std::function<void()> on_ended);
  ~FsManager();

  sail::Address address() const { return listener_->address(); }
  // Where browsers get the page; nothing when it is served nowhere.
  std::optional<sail::Address> page_address() const;
  // Its URL, for browsers of this host; empty likewise.
  std::vector<std::string> page_urls() const;
  // Tells applications to close, then ends the programs it started.
  void shut_down();

  // To look at.
  const Desk& desk() const;
  const Peers& peers() const;
  const WallOverlay& overlay() const;

 private:
  struct House;
  FsManager() = default;

  std::unique_ptr<House> house_;  // all rooms
  std::unique_ptr<sail::TcpListener> listener_;
};

}  // namespace manager
