// Admission of peers, and handling of misbehaving ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/base/secret.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Role;
using testing::HasSubstr;

using SessionsTest = ManagerTest;

TEST_F(SessionsTest, HelloTellsProtocolVersionAndWall) {
  start();
  auto peer = connect();
  const auto welcome = peer->hello(Role::kUi, "me");
  ASSERT_TRUE(welcome);
  EXPECT_EQ((*welcome)["protocol"], sail::kControlProtocol);
  EXPECT_EQ((*welcome)["version"], VITRAIL_VERSION);
  EXPECT_EQ((*welcome)["wall"], "two");
}

TEST_F(SessionsTest, ReceiverLearnsItsTiles) {
  start();
  auto peer = connect();
  const auto answer = peer->hello(Role::kReceiver, "right", 5001);
  ASSERT_TRUE(answer);
  const auto welcome = sail::message_from_json<sail::ReceiverWelcome>(*answer);
  ASSERT_TRUE(welcome) << welcome.error().message;
  EXPECT_EQ(welcome->wall_size, (sail::Size{3840, 1080}));
  ASSERT_EQ(welcome->tiles.size(), 1U);
  EXPECT_EQ(welcome->tiles[0].name, "r");
  EXPECT_EQ(welcome->tiles[0].wall_rect, (sail::Rect{1920, 0, 1920, 1080}));
}

TEST_F(SessionsTest, WhoDoesNotSayHelloFirstIsSentAway) {
  start();
  auto peer = connect();
  const auto answer = peer->call("list");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalidRequest);
  EXPECT_THAT(answer.error().message, HasSubstr("hello"));
  EXPECT_TRUE(peer->wait_closed());
}

TEST_F(SessionsTest, SilentPeerIsSentAway) {
  options.times.hello_ms = 50;
  start();
  auto silent = connect();
  auto talking = ui();
  EXPECT_TRUE(silent->wait_closed());
  EXPECT_TRUE(talking->call("list"));
}

TEST_F(SessionsTest, SecondHelloIsRefusedAndTheSessionGoesOn) {
  start();
  auto peer = ui();
  const auto again = peer->hello(Role::kReceiver, "left", 1);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kInvalidRequest);
  EXPECT_TRUE(peer->call("list"));
}

TEST_F(SessionsTest, WrongHellosAreRefusedWithAReason) {
  start();
  const sail::Json good = to_json(sail::Hello{});
  struct Case {
    const char* field;
    sail::Json value;
    ErrorCode code;
  };
  const Case cases[] = {
      {"protocol", 1, ErrorCode::kUnsupportedProtocol},
      {"protocol", "2", ErrorCode::kInvalidParams},
      {"protocol", nullptr, ErrorCode::kInvalidParams},
      {"role", "king", ErrorCode::kInvalidParams},
      {"role", 3, ErrorCode::kInvalidParams},
      {"name", std::string(3000, 'x'), ErrorCode::kInvalidParams},
      {"name", sail::Json::array({1}), ErrorCode::kInvalidParams},
      {"proof", 17, ErrorCode::kInvalidParams},
  };
  for (const Case& wrong : cases) {
    SCOPED_TRACE(fmt::format("{}: {}", wrong.field, wrong.value.dump().substr(0, 40)));
    sail::Json params = good;
    params[wrong.field] = wrong.value;
    auto peer = connect();
    const auto answer = peer->call("hello", params);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, wrong.code) << answer.error().message;
    EXPECT_TRUE(peer->wait_closed());
  }
}

TEST_F(SessionsTest, ReceiverMustBeOneOfTheWall) {
  start();
  auto stranger = connect();
  const auto unknown = stranger->hello(Role::kReceiver, "middle", 5001);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(unknown.error().message, HasSubstr("'left', 'right'"));
  sail::Hello receiver_hello;
  receiver_hello.role = Role::kReceiver;
  receiver_hello.name = "left";
  receiver_hello.codecs = {"dxt1"};
  sail::Json hello = to_json(receiver_hello);
  hello["data_port"] = 70000;
  EXPECT_FALSE(connect()->call("hello", hello));
  auto portless = connect();
  const auto no_port = portless->hello(Role::kReceiver, "left", 0);
  ASSERT_FALSE(no_port);
  EXPECT_EQ(no_port.error().code, ErrorCode::kInvalidParams);
}

TEST_F(SessionsTest, NameOfAConnectedReceiverIsTakenUntilItGoes) {
  start();
  auto first = receiver("left");
  auto second = connect();
  const auto refused = second->hello(Role::kReceiver, "left", 5002);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  first.reset();
  wait([&] { return !fs_manager->peers().receivers().find("left")->connected(); });
  auto third = receiver("left", 5003);
  EXPECT_EQ(fs_manager->peers().receivers().find("left")->data_port, 5003);
}

TEST_F(SessionsTest, TheKeyMustBeTheManagers) {
  options.key = {"", "open sesame, please"};
  start();
  for (const char* wrong : {"open sesame, pleas", "open sesame, please!", "OPEN SESAME, PLEASE"}) {
    auto peer = connect();
    const auto answer = peer->hello(Role::kUi, "me", 0, {"", wrong});
    ASSERT_FALSE(answer) << wrong;
    EXPECT_THAT(answer.error().message, HasSubstr("failed to prove"));
  }
  auto without = connect();
  const auto answer = without->hello(Role::kUi, "me", 0);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(answer.error().message, HasSubstr("VITRAIL_KEY_FILE"));
  EXPECT_TRUE(without->wait_closed());
  EXPECT_TRUE(connect()->hello(Role::kUi, "me", 0, options.key));
}

TEST_F(SessionsTest, BadJsonIsAnsweredAndTheSessionGoesOn) {
  start();
  auto peer = ui();
  for (const char* line :
       {"{\n", "[]\n", "17\n", "\"x\"\n", "\xff\xfe\n", "{\"jsonrpc\":\"1.0\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"list\"}\n", "\n"}) {
    peer->send(line);
  }
  peer->send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list\",\"params\":" +
             std::string(2000, '[') + "\n");
  EXPECT_TRUE(peer->call("list"));
  EXPECT_FALSE(peer->closed);
}

TEST_F(SessionsTest, EndlessLineEndsOnlyItsOwnSession) {
  start();
  auto other = ui();
  auto peer = ui();
  peer->send(std::string(sail::kMaxControlLine + 10, 'x'));
  EXPECT_TRUE(peer->wait_closed());
  EXPECT_TRUE(other->call("list"));
}

TEST_F(SessionsTest, PeerThatReadsNothingIsDisconnected) {
  start();
  auto other = ui();
  // A raw connection that never reads.
  std::unique_ptr<sail::TcpConnection> deaf;
  const auto guard = sail::TcpConnection::connect(loop, fs_manager->address(),
                                                  [&](auto result) { deaf = std::move(*result); });
  wait([&] { return deaf != nullptr; });
  deaf->set_buffer_sizes(1 << 16);  // else the system would buffer many megabytes
  const auto write = [&](const std::string& text) {
    deaf->write_copy({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  };
  write(sail::request_line(1, "hello", to_json(sail::Hello{})));
  wait([&] { return fs_manager->peers().service().peers().size() == 2; });
  std::string questions;
  for (int i = 0; i < 200; ++i) {
    questions += sail::request_line(2, "list", sail::Json::object());
  }
  const auto gone = [&] {
    if (fs_manager->peers().service().peers().size() == 1) return true;
    if (deaf->unsent_bytes() == 0) write(questions);
    return false;
  };
  wait(gone);
  EXPECT_TRUE(other->call("list"));
}

TEST_F(SessionsTest, MoreClientsThanTheBoundAreTurnedAwayAndNobodyElse) {
  options.max_peers = 3;
  start();
  std::vector<std::unique_ptr<ScriptedPeer>> peers;
  peers.reserve(options.max_peers);
  while (peers.size() < options.max_peers) peers.push_back(ui());
  auto extra = connect();
  const auto refused = extra->hello(Role::kUi, "one more");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(extra->wait_closed());
  EXPECT_TRUE(peers[0]->call("list"));
  auto app = application();
  auto left = receiver("left");
  peers.pop_back();
  wait([&] { return fs_manager->peers().service().peers().size() == 4; });
  EXPECT_TRUE(ui()->call("list"));
}

TEST_F(SessionsTest, WhoSaysNothingKeepsNobodyOut) {
  options.max_unauthenticated = 8;
  start();
  std::vector<std::unique_ptr<ScriptedPeer>> idle;
  for (int i = 0; i < 50; ++i) idle.push_back(connect());
  EXPECT_TRUE(ui()->call("list"));
  auto left = receiver("left");
  auto app = application();
  EXPECT_TRUE(idle[0]->wait_closed());
  EXPECT_LE(fs_manager->peers().service().peers().size(), options.max_unauthenticated + 4);
}

TEST_F(SessionsTest, AWebPagesFormDoesNothing) {
  start();
  const std::string commands = sail::request_line(1, "hello", to_json(sail::Hello{})) +
                               sail::request_line(2, "overlay", {{"on", true}});
  auto form = connect();
  form->send("POST / HTTP/1.1\r\nHost: wall:7440\r\nContent-Type: text/plain\r\n\r\nx=" + commands);
  EXPECT_TRUE(form->wait_closed());
  EXPECT_FALSE(fs_manager->overlay().is_on());
  auto peer = connect();
  peer->send(commands);  // valid commands
  wait([&] { return fs_manager->overlay().is_on(); });
}

TEST_F(SessionsTest, GuessesOfTheKeyAreSlowAndTheRightOneIsNot) {
  options.key = {"", "open sesame, please"};
  start();
  std::vector<std::unique_ptr<ScriptedPeer>> guessing;
  for (int i = 0; i < 30; ++i) {
    guessing.push_back(connect());
    guessing.back()->expect("challenge", {{"nonce", sail::random_word()}});
    const sail::Hello hello{.proof = sail::random_word() + sail::random_word()};
    guessing.back()->send(sail::request_line(1, "hello", to_json(hello)));
  }
  auto peer = connect();
  EXPECT_TRUE(peer->hello(Role::kUi, "me", 0, options.key));
  EXPECT_FALSE(guessing.back()->closed) << "it was answered at once";
  EXPECT_TRUE(guessing.back()->wait_closed());
}

TEST_F(SessionsTest, SecondManagerOnThePortSaysWhatToDo) {
  start();
  FsManagerOptions second = options;
  second.listen = fs_manager->address();
  const auto refused =
      FsManager::start(loop, second, sail::Log("test", sail::LogLevel::kOff), [] {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_EQ(refused.error().message,
            fmt::format("port {} on 127.0.0.1 is in use: another vitrail-manager may be running "
                        "(see `vitrail ls`), or choose another with --listen",
                        fs_manager->address().port));
  EXPECT_TRUE(ui()->call("list"));
}

TEST_F(SessionsTest, ShutdownClosesWindowsAndEnds) {
  start();
  auto app = application();
  open_stream(*app);
  EXPECT_EQ(ui()->expect("shutdown"), sail::Json::object());
  EXPECT_EQ(app->next("event")["type"], "close");
  const auto standby = ui();
  const auto too_late = standby->call("stand_by", {{"listen", "127.0.0.1:7440"}});
  ASSERT_FALSE(too_late);
  EXPECT_EQ(too_late.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(standby->next("end"), sail::Json::object());
  app->expect("close_stream", {{"stream", 1}});
  wait([&] { return ended; });
}

TEST_F(SessionsTest, ShutdownDoesNotWaitForEver) {
  start();
  auto app = application();
  open_stream(*app);  // never closes it
  fs_manager->shut_down();
  wait([&] { return ended; });
}

}  // namespace
}  // namespace manager
