#include "manager/session.h"

#include <fmt/core.h>

#include "manager/commands.h"
#include "manager/fs_manager.h"

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

Session::Session(FsManager& manager, sail::PeerGroup& group, uint64_t id,
                 std::unique_ptr<sail::MessageChannel> channel)
    : manager_(manager),
      id_(id),
      peer_(group, std::move(channel),
            {.on_request =
                 [this](const std::string& method, const sail::Json& params,
                        const sail::RpcPeer::Reply& reply) { on_request(method, params, reply); },
             .on_closed =
                 [this](const sail::Error& error) { manager_.end_session(id_, error.message); }}) {}

std::string Session::text() const {
  return fmt::format("{} '{}' ({})", role_ ? role_name(*role_) : "peer", hello_.name,
                     sail::address_text(peer_.peer_address()));
}

void Session::on_request(const std::string& method, const sail::Json& params,
                         const sail::RpcPeer::Reply& reply) {
  if (method == "hello") {
    on_hello(params, reply);
    return;
  }
  if (!role_) {
    peer_.refuse(reply,
                 {sail::ErrorCode::kInvalidRequest, fmt::format("say hello before '{}'", method)});
    return;
  }
  if (reply) {
    run_command({manager_, *this}, method, params, reply);
    return;
  }
  const auto log_first_mistake = [this, &method](const sail::Result<sail::Json>& result) {
    if (result || mistake_logged_) return;
    mistake_logged_ = true;
    manager_.log().warning("{}: notification '{}': {}", text(), method, result.error().message);
  };
  run_command({manager_, *this}, method, params, log_first_mistake);
}

void Session::on_hello(const sail::Json& params, const sail::RpcPeer::Reply& reply) {
  if (role_) {
    if (reply) {
      reply(sail::fail(sail::ErrorCode::kInvalidRequest, "hello was said already, once is enough"));
    }
    return;
  }
  if (!reply) {
    peer_.refuse(reply, {sail::ErrorCode::kInvalidRequest, "its hello was a notification"});
    return;
  }
  auto hello = sail::hello_from_json(params);
  if (!hello) {
    peer_.refuse(reply, hello.error());
    return;
  }
  hello_ = std::move(*hello);
  manager_.admit(*this, hello_, reply);
}

void Session::welcome(const sail::RpcPeer::Reply& reply, sail::Json welcome) {
  role_ = hello_.role;
  peer_.admit(rank_of(*role_));
  reply(std::move(welcome));
}

}  // namespace manager
