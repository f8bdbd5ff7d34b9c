#include "receiver/recorder/whep_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

#include "receiver/recorder/destination.h"
#include "receiver/recorder/whep_page.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

constexpr int kSessionEnded = 200;
constexpr int kNoSession = 404;
constexpr int kNoPlace = 503;
constexpr const char* kOfOffers = "POST, OPTIONS";
constexpr const char* kOfSessions = "DELETE, OPTIONS";
// A viewer reports every few seconds. Also the time for its connection to be made.
constexpr int64_t kLongestSilenceNs = 12 * sail::kSecondNs;
constexpr int64_t kLookEveryMs = 1000;

}  // namespace

sail::Result<std::unique_ptr<WhepServer>> WhepServer::start(const Options& options,
                                                            const sail::Log& log) {
  if (auto served = sail::WebrtcViewer::check(); !served) return served.error();
  std::unique_ptr<WhepServer> whep(new WhepServer(options, log));
  sail::WebServerOptions web;
  web.listen = options.listen;
  web.certificate = options.certificate;
  web.assets = kWhepAssets;
  web.pages_of_all_sites = true;
  web.max_sockets = 0;
  web.max_connections = 2 * kMostViewers;
  auto server = sail::WebServer::start(
      whep->loop_, web,
      {.on_request = [self = whep.get()](const Exchange& exchange) { self->hear(exchange); },
       .on_socket = [](std::unique_ptr<sail::MessageChannel>) {}});
  if (!server) return server.error();
  whep->server_ = std::move(*server);
  whep->address_ = whep->server_->address();
  const std::string& host = whep->address_.host;
  if (host != "0.0.0.0" && host != "::") whep->address_to_ = host;
  whep->check_timer_.start(kLookEveryMs, kLookEveryMs,
                           [self = whep.get()] { self->check_sessions(); });
  whep->thread_ = std::thread([self = whep.get()] {
    sail::name_this_thread("whep");
    self->loop_.run();
  });
  return whep;
}

WhepServer::WhepServer(const Options& options, const sail::Log& log)
    : log_(log),
      revoked_(options.revoked),
      door_(loop_,
            {.token = options.token,
             .wall_key = options.wall_key,
             .shown = options.shown,
             .is_revoked = [this](const std::string& name) { return revoked_.contains(name); },
             .all_sites = true}),
      check_timer_(loop_) {}

WhepServer::~WhepServer() {
  if (!thread_.joinable()) return;
  loop_.stop();
  thread_.join();
  seats_.clear();  // the viewers' threads use the loop
}

std::string WhepServer::url(const std::string& scheme) const {
  return fmt::format("{}://{}{}", scheme, sail::address_text(address_), kWhepPath);
}

// --- the server's thread -------------------------------------------------------------------------

void WhepServer::hear(const Exchange& exchange) {
  const bool offers = exchange->path() == kWhepPath;
  const char* allowed = offers ? kOfOffers : kOfSessions;
  const std::string& method = exchange->method();
  if (method == "OPTIONS") return door_.answer_options(exchange, allowed);
  auto pass = door_.pass_of_token(exchange);
  if (!pass) return;
  if (offers) {
    if (method != "POST") return door_.refuse_method(exchange, allowed);
    return receive_offer(exchange, *std::move(pass));
  }
  const std::string session = exchange->path();
  if (!seats_.contains(session)) return door_.answer(exchange, kNoSession, "no such session");
  // ICE candidates sent later (PATCH) are not supported: the offer must contain all of them.
  if (method != "DELETE") return door_.refuse_method(exchange, allowed);
  door_.answer(exchange, kSessionEnded, "session closed");
  leave(session);
}

void WhepServer::receive_offer(const Exchange& exchange, sail::OfferDoor::Pass pass) {
  if (!door_.takes_offer(exchange)) return;
  if (state_ == State::kWaiting) {
    return door_.answer(exchange, kNoPlace, "the recording has not begun: try again later");
  }
  if (seats_.size() >= kMostViewers) {
    return door_.answer(
        exchange, kNoPlace,
        fmt::format("{} viewers are connected already: try again later", kMostViewers));
  }
  const std::string session = std::string(kWhepPath) + '/' + sail::random_word();
  {
    const std::lock_guard lock(mutex_);
    seats_[session] = {.asking = exchange,
                       .viewer = {},
                       .since_ns = sail::steady_now_ns(),
                       .pass = std::move(pass)};
  }
  door_.read_offer(
      exchange, [this, session](const std::string& offer) { begin_session(session, offer); },
      [this, session] { leave(session); });
}

void WhepServer::begin_session(const std::string& session, const std::string& offer) {
  if (!seats_.contains(session)) return;  // the offer came too slowly
  auto viewer = sail::WebrtcViewer::start(
      offer, address_to_, state_ == State::kWithSound,
      {.on_answer =
           [this, session](sail::Result<std::string> sdp) {
             loop_.post([this, session, sdp = std::move(sdp)] { answer(session, sdp); });
           },
       .on_key_wanted = [this] { key_requests_.ask(); },
       .on_left = [this, session] { loop_.post([this, session] { leave(session); }); }});
  if (!viewer) return answer(session, viewer.error());
  const std::lock_guard lock(mutex_);
  seats_[session].viewer = std::move(*viewer);
}

void WhepServer::answer(const std::string& session, const sail::Result<std::string>& sdp) {
  const auto seat = seats_.find(session);
  if (seat == seats_.end()) return;
  const Exchange asked = std::exchange(seat->second.asking, nullptr);
  if (asked) door_.answer_offer(asked, sdp, session);
  if (!sdp) return leave(session);
  log_.info("a viewer has connected: {} of {}", seats_.size(), kMostViewers);
}

void WhepServer::leave(const std::string& session) {
  decltype(seats_)::node_type gone;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  gone = seats_.extract(session);
  if (gone) log_.info("a viewer has left: {} of {}", seats_.size(), kMostViewers);
}

void WhepServer::read_revoked() {
  if (reading_) return;
  struct Reading {
    RevokedLinks links;
    std::string trouble{};
  };
  auto reading = std::make_shared<Reading>(Reading{.links = revoked_});
  reading_ = sail::in_background(
      loop_,
      [reading] {
        const auto read = reading->links.read();
        if (!read) reading->trouble = read.error().message;
      },
      [this, reading] {
        reading_.reset();
        take_revoked(std::move(reading->links), reading->trouble);
      });
}

void WhepServer::take_revoked(RevokedLinks links, const std::string& trouble) {
  revoked_ = std::move(links);
  if (std::exchange(trouble_, trouble) == trouble) return;
  if (trouble.empty()) return log_.info("the revoked links are read again");
  log_.warning("{}; the links that were revoked before stay revoked", trouble);
}

void WhepServer::check_sessions() {
  read_revoked();
  const int64_t now_ns = sail::steady_now_ns();
  const int64_t now_s = std::time(nullptr);
  std::vector<std::string> ended;
  for (const auto& [session, seat] : seats_) {
    const int64_t heard_ns = seat.viewer ? seat.viewer->heard_ns() : 0;
    const bool silent = now_ns - std::max(seat.since_ns, heard_ns) > kLongestSilenceNs;
    const bool over = now_s >= seat.pass.end_s || revoked_.contains(seat.pass.key);
    if (silent || over) ended.push_back(session);
  }
  for (const std::string& session : ended) {
    if (const Exchange asked = std::exchange(seats_[session].asking, nullptr)) {
      door_.answer(asked, kNoPlace, "no answer to the offer was found in time: try again later");
    }
    leave(session);
  }
}

// --- the film's thread ---------------------------------------------------------------------------

void WhepServer::begin(bool sound) {
  state_ = sound ? State::kWithSound : State::kSilent;
}

void WhepServer::send(const sail::MediaUnit& unit) {
  const std::lock_guard lock(mutex_);
  for (auto& [session, seat] : seats_) {
    if (seat.viewer) seat.viewer->send(unit);
  }
}

void WhepServer::show(std::span<const uint8_t> unit, bool key, int64_t time_ns) {
  send({.bytes = std::make_shared<std::vector<uint8_t>>(unit.begin(), unit.end()),
        .time_ns = time_ns,
        .key = key});
}

void WhepServer::play(std::span<const uint8_t> packet, int64_t time_ns) {
  send({.bytes = std::make_shared<std::vector<uint8_t>>(packet.begin(), packet.end()),
        .time_ns = time_ns,
        .sound = true});
}

bool WhepServer::wants_key() {
  return key_requests_.take(sail::steady_now_ns());
}

}  // namespace receiver
