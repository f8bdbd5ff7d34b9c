#include "sail/server/control_session.h"

#include <fmt/core.h>

#include "sail/server/film_server.h"
#include "sail/server/verbs.h"

namespace server {

using sail::ErrorCode;

ControlSession::ControlSession(FilmServer& server, sail::PeerGroup& group, uint64_t id,
                               std::unique_ptr<sail::TcpConnection> connection)
    : server_(server),
      id_(id),
      peer_(group, sail::tcp_channel(std::move(connection)),
            {.on_request =
                 [this](const std::string& method, const sail::Json& params,
                        const sail::RpcPeer::Reply& reply) { on_request(method, params, reply); },
             .on_closed =
                 [this](const sail::Error& error) { server_.end_session(id_, error.message); }}) {}

std::string ControlSession::text() const {
  return fmt::format("'{}' ({})", name_, sail::address_text(peer_.peer_address()));
}

void ControlSession::on_request(const std::string& method, const sail::Json& params,
                                const sail::RpcPeer::Reply& reply) {
  const auto answer = [&reply](sail::Result<sail::Json> result) {
    if (reply) reply(std::move(result));
  };
  if (method == "hello" && !welcome_ && reply) {
    on_hello(params, reply);
  } else if (!welcome_) {
    peer_.refuse(reply, {ErrorCode::kInvalidRequest, fmt::format("say hello before '{}'", method)});
  } else if (method == "hello") {
    answer(sail::fail(ErrorCode::kInvalidRequest, "hello was said already, once is enough"));
  } else {
    run_verb(
        server_, *this, method, params, reply ? reply : [](const sail::Result<sail::Json>&) {});
  }
}

void ControlSession::on_hello(const sail::Json& params, const sail::RpcPeer::Reply& reply) {
  const auto hello = sail::from_json<sail::Hello>(params);
  if (!hello) {
    peer_.refuse(reply, hello.error());
    return;
  }
  const auto token = server_.judge_token(hello->token, peer_.peer_address().host);
  if (token.wrong) {
    peer_.refuse(reply, *token.wrong, token.delay_ms);
    return;
  }
  if (const auto checked = server_.check_hello(*hello); !checked) {
    peer_.refuse(reply, checked.error());
    return;
  }
  name_ = hello->name;
  welcome_ = true;
  peer_.admit(sail::PeerRank::kOther);
  reply(sail::Json{{"protocol", sail::kControlProtocol}, {"version", VITRAIL_VERSION}});
}

}  // namespace server
