#include "sail/apps/guest/guest_server.h"

#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/base/secret.h"
#include "sail/core/socket/message_channel.h"

namespace sail {

// A connected client, which may not be authenticated yet.
struct GuestServer::Caller : MessageChannel::Reader {
  Caller(GuestServer& its_server, std::unique_ptr<MessageChannel> its_channel)
      : server(its_server), channel(std::move(its_channel)) {}
  void on_received() override { server.hear(*this); }
  void on_closed(const Error& /*error*/) override { server.forget(*this); }

  GuestServer& server;
  std::unique_ptr<MessageChannel> channel;
};

Result<std::unique_ptr<GuestServer>> GuestServer::start(const Options& options) {
  std::unique_ptr<GuestServer> guest(new GuestServer(options));
  WebServerOptions web;
  web.listening = options.listening;
  web.certificate = options.certificate;
  web.socket_path = kGuestPath;
  web.subprotocol = kGuestProtocol;
  web.messages = {.binary = true, .most_bytes = kMaxGuestMessage};
  web.page_of_other_port = true;
  web.max_sockets = kMostSockets;
  web.max_connections = kMostCallers;
  auto server = WebServer::start(
      guest->loop_, web, {.on_request = {}, .on_socket = [self = guest.get()](auto channel) {
                            self->accept(std::move(channel));
                          }});
  if (!server) return server.error();
  guest->server_ = std::move(*server);
  guest->timeout_.start(options.wait_timeout_ms, 0,
                        [self = guest.get()] { self->set_state(State::kNobodyCame); });
  guest->thread_ = std::thread([self = guest.get()] {
    name_this_thread("guest-page");
    self->loop_.run();
  });
  return guest;
}

GuestServer::GuestServer(const Options& options) : secret_(options.secret), timeout_(loop_) {}

GuestServer::~GuestServer() {
  if (!thread_.joinable()) return;
  loop_.post([this] { end(); });
  thread_.join();
}

void GuestServer::ask_for_key_frame() {
  loop_.post([this] {
    if (page_ != nullptr) page_->channel->send(guest_word("key_frame"));
  });
}

void GuestServer::accept(std::unique_ptr<MessageChannel> channel) {
  channel->set_unauthenticated(true);
  Caller& caller = callers_.emplace_back(*this, std::move(channel));
  caller.channel->start_reading(caller);
  // Silent clients must not keep others out: drops the oldest unauthenticated one.
  if (callers_.size() < kMostCallers) return;
  refuse(&callers_.front() == page_ ? *std::next(callers_.begin()) : callers_.front(),
         "too many unauthenticated connections");
}

void GuestServer::hear(Caller& caller) {
  for (;;) {
    const auto message = caller.channel->next();
    if (!message) return refuse(caller, message.error().message);
    if (!*message) return;
    const auto read = read_guest_message(**message);
    if (!read) return refuse(caller, read.error().message);
    if (const auto wrong = take_message(caller, *read)) return refuse(caller, *wrong);
  }
}

std::optional<std::string> GuestServer::take_message(Caller& caller, const GuestMessage& message) {
  if (&caller != page_) {
    const auto* hello = std::get_if<GuestHello>(&message);
    if (hello == nullptr || page_ != nullptr || state() != State::kWaiting ||
        !same_text(hello->secret, secret_)) {
      return "wrong secret, or the secret has already been used";
    }
    page_ = &caller;
    set_state(State::kOpen);
    timeout_.stop();
    caller.channel->set_unauthenticated(false);
    caller.channel->send(guest_word("ready"));
    return std::nullopt;
  }
  if (const auto* video = std::get_if<GuestVideo>(&message)) {
    video_ = *video;
    ++format_;
    return std::nullopt;
  }
  if (const auto* sound = std::get_if<GuestSound>(&message)) {
    put_sound(sound->timestamp_us, sound->bytes);
    return std::nullopt;
  }
  const auto* chunk = std::get_if<GuestChunk>(&message);
  if (chunk == nullptr || format_ == 0)
    return "the video format must be announced before the first chunk";
  put_chunk(format_, video_, chunk->key, chunk->bytes);
  return std::nullopt;
}

void GuestServer::refuse(Caller& caller, const std::string& why) {
  caller.channel->send(guest_close(why));
  caller.channel->close_after_sending(kFarewellTimeoutMs);
  forget(caller);
}

void GuestServer::forget(Caller& caller) {
  if (&caller == page_) {
    page_ = nullptr;
    set_state(State::kLeft);
    if (ending_) loop_.stop();
  }
  callers_.remove_if([&caller](const Caller& one) { return &one == &caller; });
}

// The page closes the connection when it has received the reason.
void GuestServer::end() {
  ending_ = true;
  if (page_ == nullptr) return loop_.stop();
  page_->channel->send(guest_close(reason_));
  timeout_.start(kFarewellTimeoutMs, 0, [this] { loop_.stop(); });
}

}  // namespace sail
