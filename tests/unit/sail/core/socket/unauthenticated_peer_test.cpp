// Server side of control connections: unauthenticated peers, admission, and resources shared by all
// peers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/rpc/rpc_peer.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

using testing::HasSubstr;

// "hello" admits the peer and "bad" is refused; other lines are recorded and answered.
class UnauthenticatedPeerTest : public testing::Test {
 protected:
  struct Guest {
    std::unique_ptr<TcpConnection> bare;  // the client's side
    Collector heard;
    std::unique_ptr<RpcPeer> peer;
    std::optional<Error> ended;
  };
  ~UnauthenticatedPeerTest() override { guests_.clear(); }

  void start(const PeerGroup::Options& options = {}) {
    group_ = std::make_unique<PeerGroup>(loop_, options);
  }
  Guest& come() {
    guests_.push_back(std::make_unique<Guest>());
    Guest& guest = *guests_.back();
    auto [bare, accepted] = connect_pair(loop_);
    guest.bare = std::move(bare);
    guest.bare->start_reading(guest.heard);
    guest.peer = std::make_unique<RpcPeer>(
        *group_, tcp_channel(std::move(accepted)),
        RpcPeer::Handlers{
            [this, &guest](const std::string& method, const Json&, const RpcPeer::Reply& reply) {
              requests_ += method + " ";
              if (method == "hello") guest.peer->admit(PeerRank::kOther);
              if (method == "challenge") guest.peer->extend_timeout();
              if (method == "bad") {
                guest.peer->refuse(reply, {ErrorCode::kUnauthorized, "no"}, refusal_delay_ms_);
              } else if (reply) {
                reply(Json::object());
              }
            },
            [&guest](const Error& error) { guest.ended = error; }});
    return guest;
  }
  static void say(Guest& guest, std::string_view text) { guest.bare->write_copy(as_bytes(text)); }
  Guest& come_and_say(std::string_view text) {
    Guest& guest = come();
    say(guest, text);
    return guest;
  }
  static std::string line(const char* method, int id = 1) {
    return request_line(id, method, Json::object());
  }
  bool ends(const Guest& guest) {
    return run_until(loop_, [&] { return guest.ended.has_value(); });
  }
  bool hears(const Guest& guest, std::string_view text) {
    return run_until(loop_, [&] { return guest.heard.text().find(text) != std::string::npos; });
  }
  void expect_end(const Guest& guest, ErrorCode code) {
    ASSERT_TRUE(ends(guest));
    EXPECT_EQ(guest.ended->code, code) << guest.ended->message;
    EXPECT_TRUE(run_until(loop_, [&] { return guest.heard.closed.has_value(); }));
  }

  Loop loop_;
  std::unique_ptr<PeerGroup> group_;
  std::vector<std::unique_ptr<Guest>> guests_;
  std::string requests_;
  int64_t refusal_delay_ms_ = 0;
};

TEST_F(UnauthenticatedPeerTest, AWebPagesRequestIsOverWithItsFirstByte) {
  start();
  const std::string body = line("hello") + line("play");
  const Guest& form = come_and_say(
      "POST / HTTP/1.1\r\nHost: wall:7440\r\n"
      "Content-Type: text/plain\r\n\r\n" +
      body);
  const Guest& begun = come_and_say("G");
  const Guest& blank = come_and_say("\n" + body);
  const Guest& tls = come_and_say("\x16\x03\x01" + body);
  for (const Guest* guest : {&form, &begun, &blank}) {
    expect_end(*guest, ErrorCode::kInvalidRequest);
    EXPECT_THAT(guest->heard.text(), HasSubstr("hello first"));
  }
  expect_end(tls, ErrorCode::kUnauthorized);
  EXPECT_EQ(requests_, "");
}

TEST_F(UnauthenticatedPeerTest, AFirstLineThatIsNoJsonRpcEndsTheSession) {
  start();
  const std::string body = line("hello") + line("play");
  const Guest& broken = come_and_say("{ \"a\n" + body);
  const Guest& plain = come_and_say("  {\"name\": \"value\"}\n" + body);
  expect_end(broken, ErrorCode::kParseError);
  expect_end(plain, ErrorCode::kInvalidRequest);
  EXPECT_EQ(requests_, "");
}

TEST_F(UnauthenticatedPeerTest, AfterHelloABadLineIsAnsweredAndTheSessionGoesOn) {
  start();
  Guest& guest = come_and_say(line("hello") + "GET / HTTP/1.1\n" + line("list", 7));
  EXPECT_TRUE(hears(guest, "\"id\":7"));
  EXPECT_THAT(guest.heard.text(), HasSubstr("-32700"));
  EXPECT_EQ(requests_, "hello list ");
  EXPECT_FALSE(guest.ended);
}

TEST_F(UnauthenticatedPeerTest, HasLittleToSay) {
  start();
  const Guest& endless = come_and_say("{" + std::string(1 << 20, ' '));
  std::string pings;
  for (int i = 0; i < 1000; ++i) pings += line("ping", i);
  const Guest& talkative = come_and_say(pings);
  expect_end(endless, ErrorCode::kLimit);
  expect_end(talkative, ErrorCode::kLimit);
}

TEST_F(UnauthenticatedPeerTest, WhatFollowsTheHelloAtOnceIsHeardHoweverMuchItIs) {
  start();
  std::string hello = line("hello", 1);
  hello.insert(hello.size() - 1, std::string(kMaxUnauthenticatedBytes - hello.size(), ' '));
  std::string text = line("ping", 2);
  hello.erase(hello.size() - 1 - text.size(), text.size());
  text += hello;
  EXPECT_EQ(text.size(), kMaxUnauthenticatedBytes);
  for (int i = 0; i < 1000; ++i) text += line("list", i + 3);
  Guest& guest = come_and_say(text);
  EXPECT_TRUE(hears(guest, "\"id\":1002"));
  EXPECT_FALSE(guest.ended);
}

TEST_F(UnauthenticatedPeerTest, IsSentAwayWhenItSaysNoHelloInTime) {
  start({.hello_ms = 30});
  Guest& silent = come();
  Guest& pinging = come_and_say(line("ping"));
  Guest& guest = come_and_say(line("hello"));
  ASSERT_TRUE(hears(guest, "result"));
  expect_end(silent, ErrorCode::kTimeout);
  expect_end(pinging, ErrorCode::kTimeout);
  run_some(loop_, 50);
  EXPECT_FALSE(guest.ended);
}

TEST_F(UnauthenticatedPeerTest, WhoMakesAProofOfAPasswordHasLongerIfNotTooManyHave) {
  start({.hello_ms = 100, .password_ms = kTestDeadlineMs, .max_extended = 2});
  Guest& first = come_and_say(line("challenge"));
  ASSERT_TRUE(hears(first, "result"));
  Guest& second = come_and_say(line("challenge"));
  Guest& third = come_and_say(line("challenge"));
  ASSERT_TRUE(hears(second, "result") && hears(third, "result"));
  expect_end(first, ErrorCode::kTimeout);  // the others get its share of the time
  expect_end(come(), ErrorCode::kTimeout);
  EXPECT_FALSE(second.ended || third.ended);
  for (Guest* guest : {&second, &third}) {
    say(*guest, line("hello", 5));
    EXPECT_TRUE(hears(*guest, "\"id\":5"));
  }
}

TEST_F(UnauthenticatedPeerTest, WhoMakesAProofOfAPasswordHasNotForEver) {
  start({.hello_ms = 2 * kTestDeadlineMs, .password_ms = 30});
  const Guest& guest = come_and_say(line("challenge"));
  expect_end(guest, ErrorCode::kTimeout);
}

TEST_F(UnauthenticatedPeerTest, IdleOnesMakeRoomForNewOnesAndGuestsDoNot) {
  start({.max_unauthenticated = 3});
  Guest& admitted = come_and_say(line("hello"));
  ASSERT_TRUE(hears(admitted, "result"));
  for (int i = 0; i < 20; ++i) come();
  Guest& late = come_and_say(line("hello", 5));
  EXPECT_TRUE(hears(late, "\"id\":5"));
  EXPECT_TRUE(run_until(loop_, [&] { return guests_[18]->ended.has_value(); }));
  EXPECT_EQ(guests_[1]->ended->code, ErrorCode::kLimit);
  run_some(loop_);
  EXPECT_FALSE(admitted.ended);
  EXPECT_FALSE(late.ended);
  EXPECT_FALSE(guests_[20]->ended) << "the newest stay";
}

TEST_F(UnauthenticatedPeerTest, MakeRoomWhenDescriptorsAreScarce) {
  start();
  Guest& admitted = come_and_say(line("hello"));
  ASSERT_TRUE(hears(admitted, "result"));
  for (int i = 0; i < 5; ++i) come();
  group_->make_room();
  run_some(loop_);
  std::vector<bool> ended;
  for (const auto& guest : guests_) ended.push_back(guest->ended.has_value());
  EXPECT_EQ(ended, (std::vector<bool>{false, true, true, true, false, false}));
}

TEST_F(UnauthenticatedPeerTest, WhoIsRefusedIsToldLaterAndNotHeardAnyMore) {
  start();
  refusal_delay_ms_ = 50;
  Guest& guest = come_and_say(line("bad") + line("hello"));
  run_some(loop_);
  say(guest, line("hello"));
  EXPECT_EQ(guest.heard.text(), "");
  expect_end(guest, ErrorCode::kUnauthorized);
  EXPECT_EQ(guest.ended->message, "refused: no");
  EXPECT_THAT(guest.heard.text(), HasSubstr("1001"));
  EXPECT_EQ(requests_, "bad ");
}

TEST_F(UnauthenticatedPeerTest, WhoIsRefusedMayLeaveBefore) {
  start();
  refusal_delay_ms_ = 100'000;
  Guest& guest = come_and_say(line("bad"));
  ASSERT_TRUE(run_until(loop_, [&] { return requests_ == "bad "; }));
  guest.peer.reset();
  EXPECT_TRUE(run_until(loop_, [&] { return guest.heard.closed.has_value(); }));
  EXPECT_FALSE(guest.ended);
}

TEST_F(UnauthenticatedPeerTest, WhoReadsLeastIsTurnedAwayWhenTooMuchIsUnreadByAll) {
  constexpr size_t kMebibyte = 1 << 20;
  start({.max_unsent_bytes = 3 * kMebibyte});
  Guest& deaf = come_and_say(line("hello"));
  Guest& slow = come_and_say(line("hello"));
  ASSERT_TRUE(hears(deaf, "result") && hears(slow, "result"));
  deaf.bare->stop_reading();
  slow.bare->stop_reading();
  const std::string text = notification_line("n", {{"text", std::string(100'000, 'x')}});
  // The system's buffers fill first.
  const auto fill = [&](Guest& guest, size_t bytes) {
    while (guest.peer->unsent_bytes() < bytes) guest.peer->send_line(text);
  };
  fill(slow, kMebibyte);
  fill(deaf, 2 * kMebibyte - 3 * text.size());
  run_some(loop_);
  EXPECT_FALSE(deaf.ended || slow.ended);
  for (int i = 0; i < 30 && !deaf.ended; ++i) deaf.peer->send_line(text);
  ASSERT_TRUE(ends(deaf));
  EXPECT_EQ(deaf.ended->code, ErrorCode::kLimit);
  EXPECT_THAT(deaf.ended->message, HasSubstr("does not read"));
  EXPECT_FALSE(slow.ended);
  // There is room again.
  fill(slow, 2 * kMebibyte);
  run_some(loop_);
  EXPECT_FALSE(slow.ended);
}

TEST_F(UnauthenticatedPeerTest, WhatAPeerCannotHaveDoneNowWaitsAtThePeer) {
  start();
  Guest& greedy = come_and_say(line("hello"));
  Guest& modest = come_and_say(line("hello"));
  ASSERT_TRUE(hears(greedy, "result") && hears(modest, "result"));
  requests_.clear();
  std::string much;
  while (much.size() < 32U << 20) much += line("much", 2);
  say(greedy, much);
  ASSERT_TRUE(run_until(loop_, [&] { return requests_.size() > 1000; }));
  EXPECT_GT(greedy.bare->unsent_bytes(), 0U) << "it is not all taken in at once";
  say(modest, line("little", 3));
  EXPECT_TRUE(hears(modest, "\"id\":3"));
  EXPECT_GT(greedy.bare->unsent_bytes(), 0U) << "it waited for all of the other's";
}

}  // namespace
}  // namespace sail
