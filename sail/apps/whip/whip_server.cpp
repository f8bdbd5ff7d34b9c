#include "sail/apps/whip/whip_server.h"

#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/base/secret.h"
#include "sail/core/http/web_server.h"

namespace sail {
namespace {

constexpr int kNotFound = 404;
constexpr int kConflict = 409;

}  // namespace

Result<std::unique_ptr<WhipServer>> WhipServer::start(const Options& options) {
  std::unique_ptr<WhipServer> whip(new WhipServer(options));
  WebServerOptions web;
  web.listen = options.listen;
  web.certificate = options.certificate;
  web.max_sockets = 0;
  web.max_connections = 16;
  auto server = WebServer::start(
      whip->loop_, web,
      {.on_request = [self = whip.get()](const Exchange& exchange) { self->hear(exchange); },
       .on_socket = [](std::unique_ptr<MessageChannel>) {}});
  if (!server) return server.error();
  whip->server_ = std::move(*server);
  whip->address_ = whip->server_->address();
  if (options.wait_timeout_ms > 0) {
    whip->timeout_.start(options.wait_timeout_ms, 0,
                         [self = whip.get()] { self->set_state(State::kNobodyCame); });
  }
  whip->thread_ = std::thread([self = whip.get()] {
    name_this_thread("guest-whip");
    self->loop_.run();
  });
  return whip;
}

WhipServer::WhipServer(const Options& options)
    : resource_(std::string(kWhipPath) + '/' + random_word()),
      door_(loop_, {.token = options.token}),
      timeout_(loop_),
      farewell_timer_(loop_) {
  const std::string& host = options.listen.host;
  if (host != "0.0.0.0" && host != "::") address_to_ = host;
}

WhipServer::~WhipServer() {
  if (!thread_.joinable()) return;
  loop_.stop();
  thread_.join();
  peer_.reset();
}

void WhipServer::ask_for_key_frame() {
  wants_key_ = true;
  loop_.post([this] {
    if (peer_) peer_->ask_for_key_frame();
  });
}

void WhipServer::hear(const Exchange& exchange) {
  if (!door_.knows_token(exchange)) return;
  const std::string& method = exchange->method();
  if (exchange->path() == kWhipPath) {
    if (method != "POST") return door_.refuse_method(exchange, "POST");
    return receive_offer(exchange);
  }
  if (exchange->path() != resource_ || !peer_ || asking_) {
    return door_.answer(exchange, kNotFound, "no such session");
  }
  // ICE candidates sent later (PATCH) are not supported: the offer must contain all of them.
  if (method != "DELETE") return door_.refuse_method(exchange, "DELETE");
  door_.answer(exchange, 200, "session closed");
  leave();
}

void WhipServer::receive_offer(const Exchange& exchange) {
  if (!door_.takes_offer(exchange)) return;
  if (asking_ || peer_ || state() != State::kWaiting) {
    return door_.answer(exchange, kConflict, "another sender is already connected");
  }
  asking_ = exchange;
  door_.read_offer(
      exchange, [this](const std::string& offer) { begin(offer); },
      [this] {
        asking_.reset();
        peer_.reset();
      });
}

void WhipServer::begin(const std::string& offer) {
  auto peer = WhipPeer::start(
      offer, address_to_,
      {.on_answer =
           [this](Result<std::string> sdp) {
             loop_.post([this, sdp = std::move(sdp)] { answer(sdp); });
           },
       .on_chunk =
           [this](const GuestVideo& video, bool key, std::span<const uint8_t> bytes) {
             heard_ns_ = steady_now_ns();
             if (key) wants_key_ = false;
             if (format_ == 0 || std::exchange(video_, video) != video) ++format_;
             put_chunk(format_, video, key, bytes);
           },
       .on_sound =
           [this](int64_t timestamp_us, std::span<const uint8_t> bytes) {
             heard_ns_ = steady_now_ns();
             put_sound(timestamp_us, bytes);
           },
       .on_left = [this] { loop_.post([this] { leave(); }); }});
  if (!peer) return answer(peer.error());
  peer_ = std::move(*peer);
  farewell_timer_.start(kAnswerMs, 0, [this] {
    answer(fail(ErrorCode::kTimeout, "timeout: no local address found for receiving"));
  });
}

void WhipServer::answer(const Result<std::string>& sdp) {
  const Exchange asked = std::exchange(asking_, nullptr);
  farewell_timer_.stop();
  if (!asked) return;
  if (sdp) {
    heard_ns_ = steady_now_ns();
    timeout_.start(kLookMs, kLookMs, [this] { check_timeout(); });
    set_state(State::kOpen);
  } else {
    peer_.reset();
  }
  door_.answer_offer(asked, sdp, resource_);
}

// ICE does not detect a vanished sender, and a key frame request may be lost or too early.
void WhipServer::check_timeout() {
  if (steady_now_ns() - heard_ns_ > kSilenceNs) {
    leave();
  } else if (peer_ && wants_key_) {
    peer_->ask_for_key_frame();
  }
}

// Delayed, so that the sender still receives the last answer.
void WhipServer::leave() {
  if (state() != State::kOpen) return;
  timeout_.stop();
  farewell_timer_.start(kFarewellTimeoutMs, 0, [this] { set_state(State::kLeft); });
}

}  // namespace sail
