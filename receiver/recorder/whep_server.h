// Serves a recording to browsers and other viewers by WHEP (draft-ietf-wish-whep): an HTTP server
// with a small page, and a WebrtcViewer for each viewer. All viewers get the same encoded pictures.
// Runs its own thread; public functions are for the thread that created it, but those of
// FilmAudience are for the film's thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "receiver/recorder/film_writer.h"
#include "receiver/recorder/key_requests.h"
#include "receiver/recorder/revoked_links.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/http/web_server.h"
#include "sail/core/loop/loop.h"
#include "sail/core/webrtc/offer_door.h"
#include "sail/core/webrtc/webrtc_viewer.h"

namespace receiver {

class WhepServer final : public FilmAudience {
 public:
  static constexpr size_t kMostViewers = 20;
  struct Options {
    sail::Address listen;
    std::string token;                                     // that viewers must present
    sail::WallKey wall_key = {};                           // see OfferDoor::Options
    std::string shown = {};                                // see OfferDoor::Options
    RevokedLinks revoked{};                                // as they were read last
    std::optional<sail::WebCertificate> certificate = {};  // empty: no TLS
  };
  static sail::Result<std::unique_ptr<WhepServer>> start(const Options& options,
                                                         const sail::Log& log);
  ~WhepServer() override;

  sail::Address address() const { return address_; }
  // At the address on which it listens.
  std::string url(const std::string& scheme) const;

  void begin(bool sound) override;
  void show(std::span<const uint8_t> unit, bool key, int64_t time_ns) override;
  void play(std::span<const uint8_t> packet, int64_t time_ns) override;
  bool wants_key() override;

 private:
  using Exchange = sail::OfferDoor::Exchange;
  enum class State : uint8_t { kWaiting, kSilent, kWithSound };
  struct Seat {
    Exchange asking;                             // the request with the pending offer; or null
    std::unique_ptr<sail::WebrtcViewer> viewer;  // null: the offer has not arrived
    int64_t since_ns = 0;
    sail::OfferDoor::Pass pass{};
  };

  WhepServer(const Options& options, const sail::Log& log);
  void hear(const Exchange& exchange);
  void receive_offer(const Exchange& exchange, sail::OfferDoor::Pass pass);
  void begin_session(const std::string& session, const std::string& offer);
  void answer(const std::string& session, const sail::Result<std::string>& sdp);
  void leave(const std::string& session);
  // Periodic: ends the sessions of viewers that have vanished, or whose token has ended or was
  // revoked.
  void check_sessions();
  // Reads the revoked links again, in the background: their file may be on a network that hangs.
  void read_revoked();
  void take_revoked(RevokedLinks links, const std::string& trouble);
  void send(const sail::MediaUnit& unit);

  const sail::Log log_;
  // Local address for media; empty: any address of this machine.
  std::string address_to_;
  sail::Address address_;
  std::atomic<State> state_{State::kWaiting};
  KeyRequests key_requests_;
  std::mutex mutex_;                   // guards changes of the map, and the film's use of it
  std::map<std::string, Seat> seats_;  // by the path of the session, a secret of the viewer

  // Used only by the server's thread.
  sail::Loop loop_;
  RevokedLinks revoked_;
  std::shared_ptr<void> reading_;  // guard of the background read; null: none runs
  std::string trouble_;            // why the revoked links cannot be read
  sail::OfferDoor door_;
  sail::Timer check_timer_;
  std::unique_ptr<sail::WebServer> server_;
  std::thread thread_;
};

}  // namespace receiver
