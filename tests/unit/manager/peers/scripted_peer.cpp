#include "tests/unit/manager/peers/scripted_peer.h"

#include <algorithm>

#include "sail/core/rpc/hello.h"
#include "sail/core/wire/data/codec_name.h"

#include "tests/support/loop_test.h"

namespace manager {

ScriptedPeer::ScriptedPeer(sail::Loop& loop, const sail::Address& manager) : loop_(loop) {
  bool tried = false;
  std::unique_ptr<sail::TcpConnection> connection;
  const auto guard = sail::TcpConnection::connect(loop, manager, [&](auto result) {
    tried = true;
    if (result) connection = std::move(*result);
  });
  EXPECT_TRUE(sail::run_until(loop, [&] { return tried; }));
  if (!connection) {
    ADD_FAILURE() << "no connection to " << sail::address_text(manager);
    std::abort();
  }
  peer_ = std::make_unique<sail::RpcPeer>(
      loop, std::move(connection),
      sail::RpcPeer::Handlers{
          .on_request =
              [this](const std::string& method, const sail::Json& params,
                     const sail::RpcPeer::Reply& reply) {
                messages.push_back({method, params});
                if (reply) reply(answers.try_emplace(method, sail::Json::object()).first->second);
              },
          .on_closed = [this](const sail::Error& error) { closed = error; }});
}

sail::Result<sail::Json> ScriptedPeer::call(std::string_view method, const sail::Json& params) {
  std::optional<sail::Result<sail::Json>> answer;
  peer_->call(
      method, params, [&](sail::Result<sail::Json> result) { answer = std::move(result); },
      sail::kTestDeadlineMs);
  if (!sail::run_until(loop_, [&] { return answer.has_value(); })) {
    return sail::fail(sail::ErrorCode::kTimeout, "the test's own deadline");
  }
  return *answer;
}

ScriptedPeer::Asked ScriptedPeer::ask(std::string_view method, const sail::Json& params) {
  auto answer = std::make_shared<std::optional<sail::Result<sail::Json>>>();
  peer_->call(
      method, params, [answer](sail::Result<sail::Json> result) { *answer = std::move(result); },
      sail::kTestDeadlineMs);
  return answer;
}

sail::Json ScriptedPeer::expect(std::string_view method, const sail::Json& params) {
  const auto result = call(method, params);
  EXPECT_TRUE(result) << method << ' ' << params << ": " << result.error().message;
  return result ? *result : sail::Json();
}

sail::Result<sail::Json> ScriptedPeer::hello(sail::Role role, const std::string& name,
                                             uint16_t data_port, const sail::WallKey& key) {
  sail::Hello hello;
  hello.role = role;
  hello.name = name;
  hello.data_port = data_port;
  if (role == sail::Role::kReceiver) hello.codecs = sail::all_codec_names();
  return this->hello(hello, key);
}

sail::Result<sail::Json> ScriptedPeer::hello(const sail::Hello& hello, const sail::WallKey& key) {
  std::optional<sail::Result<sail::Welcome>> answer;
  sail::start_handshake(*peer_, key, hello, sail::kTestDeadlineMs,
                        [&](sail::Result<sail::Welcome> welcome) { answer = std::move(welcome); });
  if (!sail::run_until(loop_, [&] { return answer.has_value(); })) {
    return sail::fail(sail::ErrorCode::kTimeout, "the test's own deadline");
  }
  return answer->map([](const sail::Welcome& welcome) { return welcome.answer; });
}

sail::Json ScriptedPeer::next(std::string_view method) {
  const auto here = [&] {
    while (!messages.empty() && messages.front().method != method) messages.pop_front();
    return !messages.empty();
  };
  if (!sail::run_until(loop_, here)) {
    ADD_FAILURE() << "no '" << method << "' came";
    return {};
  }
  sail::Json params = std::move(messages.front().params);
  messages.pop_front();
  return params;
}

bool ScriptedPeer::wait_closed() {
  return sail::run_until(loop_, [&] { return closed.has_value(); });
}

}  // namespace manager
