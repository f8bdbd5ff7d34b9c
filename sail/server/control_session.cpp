#include "sail/server/control_session.h"

#include <fmt/core.h>

#include "sail/server/film_server.h"
#include "sail/server/verbs.h"

namespace server {

using sail::ErrorCode;

ControlSession::ControlSession(FilmServer& server, sail::Loop& loop, uint64_t id,
                               std::unique_ptr<sail::TcpConnection> connection, int64_t hello_ms)
    : server_(server),
      id_(id),
      hello_timeout_(loop),
      peer_(loop, std::move(connection),
            {.on_request =
                 [this](const std::string& method, const sail::Json& params,
                        const sail::RpcPeer::Reply& reply) { on_request(method, params, reply); },
             .on_closed =
                 [this](const sail::Error& error) { server_.end_session(id_, error.message); }}) {
  hello_timeout_.start(hello_ms, 0,
                       [this] { server_.end_session(id_, "it said no hello in time"); });
}

std::string ControlSession::text() const {
  return fmt::format("'{}' ({})", name_, sail::address_text(peer_.peer_address()));
}

// Every branch that may end the session is the last thing done here.
void ControlSession::on_request(const std::string& method, const sail::Json& params,
                                const sail::RpcPeer::Reply& reply) {
  const auto answer = [&reply](sail::Result<sail::Json> result) {
    if (reply) reply(std::move(result));
  };
  if (method == "hello" && !welcome_ && reply) {
    on_hello(params, reply);
  } else if (!welcome_) {
    answer(sail::fail(ErrorCode::kInvalidRequest, fmt::format("say hello before '{}'", method)));
    server_.end_session(id_, "no hello first");
  } else if (method == "hello") {
    answer(sail::fail(ErrorCode::kInvalidRequest, "hello was said already, once is enough"));
  } else {
    run_verb(
        server_, *this, method, params, reply ? reply : [](const sail::Result<sail::Json>&) {});
  }
}

void ControlSession::on_hello(const sail::Json& params, const sail::RpcPeer::Reply& reply) {
  const auto hello = sail::hello_from_json(params);
  const sail::Result<void> taken =
      hello ? server_.check_hello(*hello) : sail::Result<void>(tl::make_unexpected(hello.error()));
  if (!taken) {
    reply(tl::make_unexpected(taken.error()));
    server_.end_session(id_, "refused: " + taken.error().message);
    return;
  }
  hello_timeout_.stop();
  name_ = hello->name;
  welcome_ = true;
  reply(sail::Json{{"protocol", sail::kControlProtocol}, {"version", VITRAIL_VERSION}});
}

}  // namespace server
