// The free space manager. Owns the wall, its windows and all peer connections. Tells receivers
// where each window is, and applications where to send each pixel block. Never handles pixels.
//
// It consists of components (ARCHITECTURE.md, "Folders"); verbs pass peers' requests to them.
// Runs on the loop thread. A process may hold several instances, as tests do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manager/media/play_request.h"
#include "manager/media/sources.h"
#include "manager/media/upload_rules.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/log.h"
#include "sail/core/http/web_certificate.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock_line.h"
#include "sail/core/time/system_clock.h"
#include "sail/core/wall/event_rules.h"
#include "sail/core/wall/wall.h"

namespace manager {

class WitnessLease;

// Timeouts. Tests shorten some of them.
struct FsManagerTimes {
  int64_t hello_ms = sail::kHelloTimeoutMs;  // For a peer's hello.
  int64_t close_ms = 2000;                   // For an application to close a window.
  int64_t opening_ms = 400;  // Players without a window are announced after this time.
  // For running programs of a restored session to reconnect. They retry at least every 5 s.
  int64_t return_ms = 6000;
  int64_t scene_ms = 10'000;  // For each further window to open, when people switch to a session.
  int64_t power_ms = 60'000;  // For a display to turn on or off.
  int64_t power_poll_ms = 2000;
  double idle_minute_ms = 60'000;   // A minute of the wall file's "power_idle_min".
  int64_t driver_idle_ms = 60'000;  // See Drivers::Times.
  int64_t driver_return_ms = 5000;
};

struct FsManagerOptions {
  sail::Wall wall;
  sail::Address listen{"127.0.0.1", sail::kDefaultControlPort};
  std::optional<sail::Address> page;  // Where browsers get the page; empty: no page.
  bool page_is_optional = false;      // Start without the page if its port is in use.
  std::optional<sail::WebCertificate> page_certificate;  // Empty: no TLS.
  sail::WallKey key;                                     // Without a secret: all peers are welcome.
  sail::TlsUse tls = sail::tls_use();                    // TLS of control connections.
  bool announce = false;                                 // Announce by mDNS, if there is a key.
  sail::ClockSource clock = sail::ClockSource::kManager;  // Source of wall time.
  bool launch = false;                                    // Start the wall's receivers and standby.
  std::string display = "auto";                           // Display of launched receivers.
  std::string receiver_program = "vitrail-receiver";
  std::string player_program = "bplay";
  std::string show_program = "vitrail-show";
  std::string web_program = "vitrail-web";
  std::string vnc_program = "vitrail-vnc";
  std::string poster_program = "vitrail-poster";
  std::string camera_program = "vitrail-camera";
  std::string guest_program = "vitrail-guest";
  std::string standby_program = "vitrail-manager";
  std::string hooks_program = "vitrail-hooks";
  std::vector<std::string> standby_options;  // See StandbyStart.
  std::filesystem::path state_folder;        // State that survives restarts; empty: none.
  std::filesystem::path run_folder;  // Lists of running programs for the next manager; empty: none.
  std::string restore;               // Session to restore at the start; empty: none.
  std::optional<sail::EventRules> event_rules;  // Rules of --events; empty: those in the state
                                                // folder.
  std::vector<std::string> media;               // Folders of films and pictures.
  UploadOptions uploads;                        // An empty folder disables uploads.
  std::vector<Source> commands;                 // Commands that people may start.
  std::vector<sail::Address> film_servers;      // Servers whose films people may show.
  AtEnd at_end = AtEnd::kHold;                  // Default for the end of films.
  uint64_t term = 1;                            // Higher than the terms of all earlier managers.
  std::shared_ptr<WitnessLease> lease{};        // Lease of this term; null: the wall has no
                                                // witness.
  // The other manager voted for this one, in place of the lease; steady time before it was asked.
  std::optional<int64_t> voted_ns{};
  std::string term_damage;  // A sentence, if the saved term was damaged.
  // The replaced manager, and its clock.
  std::optional<sail::Address> former;
  sail::ClockLine former_clock{};
  bool took_over = false;  // Programs of the replaced manager are about to reconnect.
  // Another manager has replaced this one, with a higher term. This manager must stop at once and
  // leave its programs running. May be called again.
  std::function<void(uint64_t term)> on_fenced;
  FsManagerTimes times;
  size_t max_peers = sail::kMaxPeers;  // UI clients, and as many applications.
  size_t max_unauthenticated = sail::kMaxUnauthenticated;
};

class Desk;
class Peers;
class WallOverlay;

class FsManager {
 public:
  // Starts to listen. on_ended: called once after shut_down() is done; may destroy this object.
  static sail::Result<std::unique_ptr<FsManager>> start(sail::Loop& loop, FsManagerOptions options,
                                                        const sail::Log& log,
                                                        std::function<void()> on_ended);
  ~FsManager();

  sail::Address address() const { return listener_->address(); }
  // Where browsers get the page; empty: no page.
  std::optional<sail::Address> page_address() const;
  // URLs of the page for all own addresses if it listens on all, else for this host; empty: no
  // page.
  std::vector<std::string> page_urls() const;
  // Asks applications to close their windows, then ends the programs that it started.
  void shut_down();

  // Read access to components.
  const Desk& desk() const;
  const Peers& peers() const;
  const WallOverlay& overlay() const;

 private:
  struct Parts;
  FsManager() = default;

  std::unique_ptr<Parts> parts_;  // All components.
  std::unique_ptr<sail::TcpListener> listener_;
};

}  // namespace manager
