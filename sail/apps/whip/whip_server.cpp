#include "sail/apps/whip/whip_server.h"

#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/base/secret.h"
#include "sail/core/http/web_server.h"

namespace sail {
namespace {

constexpr int kCreated = 201;
constexpr int kBadRequest = 400;
constexpr int kUnauthorized = 401;
constexpr int kNotFound = 404;
constexpr int kWrongMethod = 405;
constexpr int kConflict = 409;
constexpr int kTooLarge = 413;
constexpr int kWrongType = 415;
constexpr int kTooMany = 429;
constexpr int kUnavailable = 503;

WebAnswer other_method(const char* allowed) {
  WebAnswer answer = text_answer(kWrongMethod, "method not allowed");
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

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
    : guard_({"", options.token}),
      resource_(std::string(kWhipPath) + '/' + random_word()),
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

bool WhipServer::knows_token(const Exchange& exchange) {
  const auto told = exchange->header("authorization");
  auto given = KeyGuard::Proof::kNone;
  if (told) {
    given = same_text(*told, "Bearer " + guard_.key().secret) ? KeyGuard::Proof::kRight
                                                              : KeyGuard::Proof::kWrong;
  }
  const auto judged = guard_.judge(given, exchange->peer().host, steady_now_ns());
  if (!judged.wrong) return true;
  const bool too_many = judged.wrong->code == ErrorCode::kLimit;
  WebAnswer answer = too_many ? text_answer(kTooMany, judged.wrong->message)
                              : text_answer(kUnauthorized, "wrong token");
  if (!too_many) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  answer_after(loop_, judged.delay_ms, exchange, std::move(answer));
  return false;
}

void WhipServer::hear(const Exchange& exchange) {
  if (!knows_token(exchange)) return;
  const std::string& method = exchange->method();
  if (exchange->path() == kWhipPath) {
    if (method != "POST") return exchange->answer(other_method("POST"));
    return receive_offer(exchange);
  }
  if (exchange->path() != resource_ || !peer_ || asking_) {
    return exchange->answer(text_answer(kNotFound, "no such session"));
  }
  // ICE candidates sent later (PATCH) are not supported: the offer must contain all of them.
  if (method != "DELETE") return exchange->answer(other_method("DELETE"));
  exchange->answer(text_answer(200, "session closed"));
  leave();
}

void WhipServer::receive_offer(const Exchange& exchange) {
  if (exchange->header("content-type") != "application/sdp") {
    return exchange->answer(text_answer(kWrongType, "the offer must be application/sdp"));
  }
  if (exchange->body_size() > kMostOffer) {
    return exchange->answer(text_answer(kTooLarge, "the offer is too long"));
  }
  if (asking_ || peer_ || state() != State::kWaiting) {
    return exchange->answer(text_answer(kConflict, "another sender is already connected"));
  }
  asking_ = exchange;
  auto offer = std::make_shared<std::string>();
  exchange->read_body({.on_bytes = [offer](std::string_view bytes) { offer->append(bytes); },
                       .on_end = [this, offer] { begin(*offer); },
                       .on_gone =
                           [this] {
                             asking_.reset();
                             peer_.reset();
                           }});
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
  if (!sdp) {
    peer_.reset();
    const bool theirs = sdp.error().code == ErrorCode::kInvalidParams;
    return asked->answer(text_answer(theirs ? kBadRequest : kUnavailable, sdp.error().message));
  }
  heard_ns_ = steady_now_ns();
  timeout_.start(kLookMs, kLookMs, [this] { check_timeout(); });
  set_state(State::kOpen);
  asked->answer({.status = kCreated,
                 .headers = {{"Content-Type", "application/sdp"}, {"Location", resource_}},
                 .body = *sdp});
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
