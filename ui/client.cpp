#include "ui/client.h"

#include <fmt/core.h>

#include <cstdlib>

#include "sail/net/wall_token.h"
#include "sail/wire/control_messages.h"

namespace ui {

sail::Result<sail::Address> manager_address(const std::string& given) {
  const sail::Address fallback{"127.0.0.1", sail::kDefaultControlPort};
  if (!given.empty()) return sail::parse_address(given, fallback);
  const char* variable = std::getenv("VITRAIL_MANAGER");
  return sail::parse_address(variable ? variable : "", fallback);
}

sail::Result<std::unique_ptr<ControlClient>> ControlClient::connect(const sail::Address& manager,
                                                                    const Person& person,
                                                                    int64_t timeout_ms) {
  std::unique_ptr<ControlClient> client(new ControlClient);
  std::optional<sail::Result<std::unique_ptr<sail::TcpConnection>>> connected;
  const auto guard = sail::TcpConnection::connect(
      client->loop_, manager,
      [&](auto result) {
        connected = std::move(result);
        client->loop_.stop();
      },
      timeout_ms);
  client->loop_.run();
  if (!connected || !*connected) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      fmt::format("no manager at {} ({}): start one with `vitrail up WALL`",
                                  sail::address_text(manager),
                                  connected ? connected->error().message : "interrupted"));
  }
  ControlClient* self = client.get();
  client->peer_ = std::make_unique<sail::RpcPeer>(
      client->loop_, std::move(**connected),
      sail::RpcPeer::Handlers{
          .on_request = [](const std::string&, const sail::Json&, const sail::RpcPeer::Reply&) {},
          .on_closed =
              [self](const sail::Error& error) {
                self->lost_ = error;
                self->loop_.stop();
              }});
  sail::Hello hello;
  hello.role = sail::Role::kUi;
  hello.name = person.name;
  client->token_ = sail::token_for(client->peer_->peer_address());
  hello.token = client->token_;
  sail::Json params = to_json(hello);
  if (!person.colour.empty()) params["colour"] = person.colour;
  auto welcome = client->call("hello", params, timeout_ms);
  if (!welcome) return welcome.error();
  client->welcome_ = std::move(*welcome);
  return client;
}

sail::Result<sail::Json> ControlClient::call(std::string_view verb, const sail::Json& params,
                                             int64_t timeout_ms) {
  if (lost_) return *lost_;
  std::optional<sail::Result<sail::Json>> answer;
  peer_->call(
      verb, params,
      [&](sail::Result<sail::Json> result) {
        answer = std::move(result);
        loop_.stop();
      },
      timeout_ms);
  while (!answer) loop_.run();
  return std::move(*answer);
}

std::optional<sail::Error> ControlClient::wait(int64_t ms) {
  if (lost_) return lost_;
  bool due = false;
  sail::Timer timer(loop_);
  timer.start(ms, 0, [&] {
    due = true;
    loop_.stop();
  });
  while (!due && !lost_) loop_.run();
  return lost_;
}

}  // namespace ui
