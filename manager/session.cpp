#include "manager/session.h"

#include <fmt/core.h>

#include "manager/commands.h"
#include "manager/fs_manager.h"

namespace manager {

const char* role_name(sail::Role role) {
  switch (role) {
    case sail::Role::kUi:
      return "ui";
    case sail::Role::kApplication:
      return "application";
    case sail::Role::kReceiver:
      return "receiver";
  }
  return "peer";
}

Session::Session(FsManager& manager, sail::Loop& loop, uint64_t id,
                 std::unique_ptr<sail::MessageChannel> channel)
    : manager_(manager),
      id_(id),
      hello_timeout_(loop),
      peer_(loop, std::move(channel),
            {.on_request =
                 [this](const std::string& method, const sail::Json& params,
                        const sail::RpcPeer::Reply& reply) { on_request(method, params, reply); },
             .on_closed =
                 [this](const sail::Error& error) { manager_.end_session(id_, error.message); }}) {
  hello_timeout_.start(manager_.times().hello_ms, 0,
                       [this] { manager_.end_session(id_, "it said no hello in time"); });
}

std::string Session::text() const {
  return fmt::format("{} '{}' ({})", role_ ? role_name(*role_) : "peer", hello_.name,
                     sail::address_text(peer_.peer_address()));
}

// Every branch that may end the session is the last thing done here.
void Session::on_request(const std::string& method, const sail::Json& params,
                         const sail::RpcPeer::Reply& reply) {
  if (method == "hello") {
    on_hello(params, reply);
    return;
  }
  if (!role_) {
    if (reply) {
      reply(sail::fail(sail::ErrorCode::kInvalidRequest,
                       fmt::format("say hello before '{}'", method)));
    }
    manager_.end_session(id_, "no hello first");
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
    manager_.end_session(id_, "its hello was a notification");
    return;
  }
  auto hello = sail::hello_from_json(params);
  if (!hello) {
    answer_hello(reply, tl::make_unexpected(hello.error()));
    return;
  }
  hello_ = std::move(*hello);
  hello_timeout_.stop();
  manager_.admit(*this, hello_, reply);
}

void Session::answer_hello(const sail::RpcPeer::Reply& reply, sail::Result<sail::Json> welcome) {
  if (welcome) {
    role_ = hello_.role;
    reply(std::move(welcome));
    return;
  }
  const std::string why = "refused: " + welcome.error().message;
  reply(std::move(welcome));
  manager_.end_session(id_, why);
}

}  // namespace manager
