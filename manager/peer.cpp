#include "manager/peer.h"

#include <fmt/core.h>

#include <utility>

namespace manager {

namespace {

sail::PeerRank rank_of(sail::Role role) {
  switch (role) {
    case sail::Role::kReceiver:
      return sail::PeerRank::kReceiver;
    case sail::Role::kApplication:
      return sail::PeerRank::kApplication;
    case sail::Role::kUi:
      return sail::PeerRank::kOther;
  }
  return sail::PeerRank::kOther;
}

}  // namespace

Peer::Peer(sail::PeerGroup& group, const Handlers& handlers, uint64_t id,
           std::unique_ptr<sail::MessageChannel> channel, const sail::Log& log)
    : handlers_(handlers),
      id_(id),
      log_(log),
      rpc_(group, std::move(channel),
           {.on_request =
                [this](const std::string& method, const sail::Json& params,
                       const sail::RpcPeer::Reply& reply) { on_request(method, params, reply); },
            .on_closed = [this](const sail::Error& error) { handlers_.on_closed(*this, error); }}) {
}

std::string Peer::text() const {
  return fmt::format("{} '{}' ({})", role_ ? role_name(*role_) : "peer", hello_.name,
                     sail::address_text(rpc_.peer_address()));
}

Author Peer::author() const {
  if (role_ != sail::Role::kUi) return {};
  return {id_, name().empty() ? fmt::format("client {}", id_) : name()};
}

void Peer::on_request(const std::string& method, const sail::Json& params,
                      const sail::RpcPeer::Reply& reply) {
  if (method == "hello") {
    on_hello(params, reply);
    return;
  }
  if (!role_) {
    rpc_.refuse(reply,
                {sail::ErrorCode::kInvalidRequest, fmt::format("say hello before '{}'", method)});
    return;
  }
  if (reply) {
    handlers_.on_verb(*this, method, params, reply);
    return;
  }
  const auto log_first_mistake = [this, method, here = std::weak_ptr(mistake_logged_)](
                                     const sail::Result<sail::Json>& result) {
    const auto logged = here.lock();
    if (result || !logged || std::exchange(*logged, true)) return;
    log_.warning("{}: notification '{}': {}", text(), method, result.error().message);
  };
  handlers_.on_verb(*this, method, params, log_first_mistake);
}

void Peer::on_hello(const sail::Json& params, const sail::RpcPeer::Reply& reply) {
  if (role_) {
    if (reply) {
      reply(sail::fail(sail::ErrorCode::kInvalidRequest, "hello was said already, once is enough"));
    }
    return;
  }
  if (!reply) {
    rpc_.refuse(reply, {sail::ErrorCode::kInvalidRequest, "its hello was a notification"});
    return;
  }
  auto hello = sail::hello_from_json(params);
  if (!hello) {
    rpc_.refuse(reply, hello.error());
    return;
  }
  hello_ = std::move(*hello);
  handlers_.on_hello(*this, hello_, reply);
}

void Peer::welcome(const sail::RpcPeer::Reply& reply, sail::Json welcome) {
  role_ = hello_.role;
  rpc_.admit(rank_of(*role_));
  reply(std::move(welcome));
}

}  // namespace manager
