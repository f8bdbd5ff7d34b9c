#include "sail/core/rpc/rpc_peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

using Answers = std::vector<Result<Json>>;

// Two peers on one loop, or a peer and a raw connection as the other side.
class RpcPeerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::tie(bare_, peer_end_) = connect_pair(loop_);
    ASSERT_TRUE(bare_ && peer_end_);
  }
  // Creates the peer under test.
  void make_peer(RpcPeer::Handlers handlers) {
    peer_ = std::make_unique<RpcPeer>(loop_, std::move(peer_end_), std::move(handlers));
  }
  // Answers "double" with {"value": 2x}, and other methods with an error.
  void make_doubling_peer() {
    make_peer({[](const std::string& method, const Json& params, const RpcPeer::Reply& reply) {
                 if (!reply) return;
                 if (method != "double") return reply(fail(ErrorCode::kUnknownMethod, method));
                 reply(Json{{"value", params["value"].get<int>() * 2}});
               },
               [this](const Error& error) { note_end(error); }});
  }
  void make_other(RpcPeer::Handlers handlers) {
    other_ = std::make_unique<RpcPeer>(loop_, std::move(bare_), std::move(handlers));
  }
  void note_end(const Error& error) {
    EXPECT_FALSE(ended_) << "on_closed came twice";
    ended_ = error;
  }
  RpcPeer::AnswerCallback into(Answers& answers) {
    return [&answers](Result<Json> answer) { answers.push_back(std::move(answer)); };
  }
  // Sends raw text to the peer; wait_for_line() returns the peer's answer as JSON.
  void send_bare(std::string_view text) { bare_->write_copy(as_bytes(text)); }
  Json wait_for_line(Collector& collector) {
    size_t newline = std::string::npos;
    EXPECT_TRUE(run_until(loop_, [&] {
      newline = collector.text().find('\n');
      return newline != std::string::npos;
    }));
    if (newline == std::string::npos) return nullptr;
    const std::string line = collector.text().substr(0, newline);
    collector.bytes.erase(collector.bytes.begin(),
                          collector.bytes.begin() + static_cast<ptrdiff_t>(newline) + 1);
    return Json::parse(line);
  }

  Loop loop_;
  std::unique_ptr<TcpConnection> bare_;
  std::unique_ptr<TcpConnection> peer_end_;
  std::unique_ptr<RpcPeer> peer_;
  std::unique_ptr<RpcPeer> other_;
  std::optional<Error> ended_;
};

TEST_F(RpcPeerTest, PipelinedCallsGetTheirOwnAnswers) {
  make_doubling_peer();
  make_other({});
  Answers answers;
  for (int i = 0; i < 500; ++i) other_->call("double", {{"value", i}}, into(answers));
  EXPECT_TRUE(answers.empty());
  ASSERT_TRUE(run_until(loop_, [&] { return answers.size() == 500; }));
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(answers[static_cast<size_t>(i)]);
    EXPECT_EQ(*answers[static_cast<size_t>(i)], (Json{{"value", 2 * i}}));
  }
}

TEST_F(RpcPeerTest, AnswersMayComeLaterAndInAnyOrder) {
  std::vector<RpcPeer::Reply> replies;
  make_peer({[&](const std::string&, const Json&, RpcPeer::Reply reply) {
               replies.push_back(std::move(reply));
             },
             {}});
  make_other({});
  Answers first;
  Answers second;
  other_->call("a", Json::object(), into(first));
  other_->call("b", Json::object(), into(second));
  ASSERT_TRUE(run_until(loop_, [&] { return replies.size() == 2; }));
  replies[1](2);
  ASSERT_TRUE(run_until(loop_, [&] { return second.size() == 1; }));
  EXPECT_TRUE(first.empty());
  // Only the first answer counts, from any copy of the reply.
  const RpcPeer::Reply copy = replies[0];
  copy(1);
  replies[0](3);
  replies[1](4);
  ASSERT_TRUE(run_until(loop_, [&] { return first.size() == 1; }));
  run_some(loop_);
  EXPECT_EQ(*first[0], 1);
  EXPECT_EQ(*second[0], 2);
  EXPECT_EQ(first.size() + second.size(), 2U);
}

TEST_F(RpcPeerTest, ErrorsArriveAsTheyWereGiven) {
  make_doubling_peer();
  make_other({});
  Answers answers;
  other_->call("halve", Json::object(), into(answers));
  ASSERT_TRUE(run_until(loop_, [&] { return answers.size() == 1; }));
  ASSERT_FALSE(answers[0]);
  EXPECT_EQ(answers[0].error(), (Error{ErrorCode::kUnknownMethod, "halve"}));
}

TEST_F(RpcPeerTest, APeerThatGetsNoPingsCannotSayThatTheyAreMissing) {
  make_doubling_peer();
  make_other({});
  Answers answers;
  other_->call("silence", Json::object(), into(answers));
  ASSERT_TRUE(run_until(loop_, [&] { return answers.size() == 1; }));
  EXPECT_EQ(answers[0].error().code, ErrorCode::kUnknownMethod);
  EXPECT_FALSE(ended_);
}

TEST_F(RpcPeerTest, WithoutHandlerRequestsAreUnknown) {
  make_peer({});
  make_other({});
  Answers answers;
  other_->notify("x", Json::object());
  other_->call("x", Json::object(), into(answers));
  ASSERT_TRUE(run_until(loop_, [&] { return answers.size() == 1; }));
  EXPECT_EQ(answers[0].error().code, ErrorCode::kUnknownMethod);
}

TEST_F(RpcPeerTest, NotificationsHaveNoReply) {
  std::vector<std::string> got;
  make_peer({[&](const std::string& method, const Json& params, const RpcPeer::Reply& reply) {
               EXPECT_FALSE(reply);
               got.push_back(method + params.dump());
             },
             {}});
  make_other({});
  other_->notify("a", {{"x", 1}});
  other_->send_line(notification_line("b", {{"y", 2}}));
  ASSERT_TRUE(run_until(loop_, [&] { return got.size() == 2; }));
  EXPECT_EQ(got, (std::vector<std::string>{"a{\"x\":1}", "b{\"y\":2}"}));
}

TEST_F(RpcPeerTest, CallsTimeOutAndLateAnswersAreIgnored) {
  std::vector<RpcPeer::Reply> replies;
  make_peer({[&](const std::string&, const Json&, RpcPeer::Reply reply) {
               replies.push_back(std::move(reply));
             },
             {}});
  make_other({});
  Answers answers;
  other_->call("slow", Json::object(), into(answers), 5);
  ASSERT_TRUE(run_until(loop_, [&] { return answers.size() == 1 && replies.size() == 1; }));
  EXPECT_EQ(answers[0].error().code, ErrorCode::kTimeout);
  EXPECT_THAT(answers[0].error().message, testing::HasSubstr("slow"));
  replies[0](1);
  other_->call("next", Json::object(), into(answers));
  ASSERT_TRUE(run_until(loop_, [&] { return replies.size() == 2; }));
  replies[1](2);
  ASSERT_TRUE(run_until(loop_, [&] { return answers.size() == 2; }));
  EXPECT_EQ(*answers[1], 2);
}

TEST_F(RpcPeerTest, OpenCallsEndWithTheSession) {
  make_peer({[](const std::string&, const Json&, const RpcPeer::Reply&) {}, {}});
  make_other({{}, [this](const Error& error) { note_end(error); }});
  Answers answers;
  for (int i = 0; i < 3; ++i) other_->call("x", Json::object(), into(answers));
  peer_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return ended_.has_value(); }));
  ASSERT_EQ(answers.size(), 3U) << "they come before on_closed";
  for (const auto& answer : answers) EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(ended_->code, ErrorCode::kUnavailable);

  // Calls after the end of the session are harmless.
  EXPECT_EQ(other_->unsent_bytes(), 0U);
  EXPECT_EQ(other_->local_address().host, "127.0.0.1");
  other_->notify("x", Json::object());
  other_->call("x", Json::object(), into(answers));
  EXPECT_EQ(answers.size(), 3U) << "an answer came inside call()";
  ASSERT_TRUE(run_until(loop_, [&] { return answers.size() == 4; }));
  EXPECT_EQ(answers[3].error().code, ErrorCode::kUnavailable);
}

TEST_F(RpcPeerTest, NothingComesAfterDestruction) {
  make_doubling_peer();
  make_other({{}, [this](const Error& error) { note_end(error); }});
  Answers answers;
  other_->call("double", {{"value", 1}}, into(answers));
  other_->call("double", {{"value", 1}}, into(answers), 1);
  other_.reset();
  run_some(loop_);
  EXPECT_TRUE(answers.empty());
}

TEST_F(RpcPeerTest, WhatIsQueuedLeavesAfterDestruction) {
  std::vector<std::string> got;
  make_peer({[&](const std::string& method, const Json&, const RpcPeer::Reply&) {
               got.push_back(method);
             },
             [this](const Error& error) { note_end(error); }});
  make_other({});
  for (int i = 0; i < 10; ++i) other_->notify("bye", {{"text", std::string(100'000, 'x')}});
  other_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return ended_.has_value(); }));
  EXPECT_EQ(got.size(), 10U);
}

TEST_F(RpcPeerTest, HandlersMayDestroyThePeer) {
  // The string keeps the handlers' state on the heap, where ASan detects a use after free.
  const std::string text(100, 'x');
  make_peer({[this, text](const std::string&, const Json&, const RpcPeer::Reply& reply) {
               peer_.reset();
               EXPECT_EQ(text.size(), 100U);
               reply(1);
             },
             [](const Error&) { ADD_FAILURE() << "a callback after the destruction"; }});
  make_other({{}, [this, text](const Error&) {
                other_.reset();
                EXPECT_EQ(text.size(), 100U);
              }});
  // Several lines in one read: the second must not be handled any more.
  other_->call("a", Json::object(), [](const auto& answer) { EXPECT_FALSE(answer); });
  other_->call("b", Json::object(), [](const auto& answer) { EXPECT_FALSE(answer); });
  EXPECT_TRUE(run_until(loop_, [&] { return !peer_ && !other_; }));
}

TEST_F(RpcPeerTest, AnswersMayDestroyThePeer) {
  make_doubling_peer();
  make_other({});
  int answers = 0;
  for (int i = 0; i < 3; ++i) {
    other_->call("double", {{"value", 1}}, [&, text = std::string(100, 'x')](const auto&) {
      ++answers;
      other_.reset();
      EXPECT_EQ(text.size(), 100U);
    });
  }
  ASSERT_TRUE(run_until(loop_, [&] { return !other_; }));
  run_some(loop_);
  EXPECT_EQ(answers, 1);

  // Also if the end of the session, or a timeout, triggers the callback.
  std::tie(bare_, peer_end_) = connect_pair(loop_);
  make_other({{}, [](const Error&) { ADD_FAILURE() << "a callback after the destruction"; }});
  for (int i = 0; i < 3; ++i) {
    other_->call("x", Json::object(), [&](const auto&) { other_.reset(); });
  }
  peer_end_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return !other_; }));

  std::tie(bare_, peer_end_) = connect_pair(loop_);
  make_other({});
  other_->call(
      "x", Json::object(), [&](const auto&) { other_.reset(); }, 1);
  EXPECT_TRUE(run_until(loop_, [&] { return !other_; }));
}

TEST_F(RpcPeerTest, BadLinesAreAnsweredAndTheSessionGoesOn) {
  make_doubling_peer();
  Collector collector;
  bare_->start_reading(collector);
  struct Bad {
    const char* line;
    int code;
    Json id;
  };
  const Bad lines[] = {
      {"hello?\n", -32700, nullptr},
      {"\xff\xfe\n", -32700, nullptr},
      {"[]\n", -32600, nullptr},
      {"{\"jsonrpc\":\"2.0\",\"id\":7}\n", -32600, 7},
      {"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"double\",\"params\":[1]}\n", -32602, 8},
  };
  for (const Bad& bad : lines) {
    send_bare(bad.line);
    const Json answer = wait_for_line(collector);
    EXPECT_EQ(answer["error"]["code"], bad.code) << bad.line;
    EXPECT_EQ(answer["id"], bad.id) << bad.line;
  }
  send_bare("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"dou");
  run_some(loop_);
  send_bare("ble\",\"params\":{\"value\":21}}\r\n");
  EXPECT_EQ(wait_for_line(collector)["result"], (Json{{"value", 42}}));
  EXPECT_FALSE(ended_);
}

TEST_F(RpcPeerTest, AnswersNobodyAskedForAreNotAnswered) {
  make_doubling_peer();
  Collector collector;
  bare_->start_reading(collector);
  // An error about an unreadable line has no id. Answering it could loop forever.
  send_bare(
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"what?\"}}\n");
  send_bare("{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}\n");
  send_bare("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
  EXPECT_EQ(wait_for_line(collector), Json::parse(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
  run_some(loop_);
  EXPECT_EQ(collector.text(), "");
}

TEST_F(RpcPeerTest, ALineOverTheLimitEndsTheSession) {
  make_doubling_peer();
  Collector collector;
  bare_->start_reading(collector);
  // More than the peer reads: unread bytes must not destroy the answer.
  const std::string line(3 * kMaxControlLine, 'x');
  send_bare(line);
  const Json answer = wait_for_line(collector);
  EXPECT_EQ(answer["error"]["code"], static_cast<int>(ErrorCode::kLimit));
  ASSERT_TRUE(run_until(loop_, [&] { return collector.closed && ended_; }));
  EXPECT_EQ(ended_->code, ErrorCode::kLimit);
}

TEST_F(RpcPeerTest, ALineOfTheLimitIsTaken) {
  make_doubling_peer();
  Collector collector;
  bare_->start_reading(collector);
  std::string line = R"({"jsonrpc":"2.0","id":5,"method":"double","params":{"value":4}})";
  line.resize(kMaxControlLine, ' ');
  send_bare(line + "\n");
  EXPECT_EQ(wait_for_line(collector)["result"]["value"], 8);
}

TEST_F(RpcPeerTest, APeerThatReadsNothingIsGivenUp) {
  make_doubling_peer();
  Answers answers;
  peer_->call("x", Json::object(), into(answers));
  const std::string line = notification_line("n", {{"text", std::string(100'000, 'x')}});
  // The system's buffers fill first, then the queue; then the peer is disconnected.
  for (int i = 0; i < 1000; ++i) peer_->send_line(line);
  EXPECT_FALSE(ended_) << "on_closed came inside send_line()";
  ASSERT_TRUE(run_until(loop_, [&] { return ended_.has_value(); }));
  EXPECT_EQ(ended_->code, ErrorCode::kLimit);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].error().code, ErrorCode::kUnavailable);
}

TEST_F(RpcPeerTest, WhatMayBeLeftOutIsLeftOutForAPeerThatReadsNothing) {
  make_doubling_peer();
  const std::string line = notification_line("n", {{"text", std::string(60'000, 'x')}});
  // The system's buffers fill first.
  ASSERT_TRUE(run_until(loop_, [&] { return !peer_->offer_line(line); }));
  const size_t waiting = peer_->unsent_bytes();
  EXPECT_GT(waiting, kMaxDroppableQueue);
  EXPECT_LT(waiting, kMaxDroppableQueue + 2 * line.size());
  peer_->send_line(line);
  EXPECT_EQ(peer_->unsent_bytes(), waiting + line.size()) << "what must be told waits on";
  EXPECT_FALSE(ended_);
}

TEST_F(RpcPeerTest, APeerThatReadsNoSharedLinesIsGivenUp) {
  make_doubling_peer();
  const SharedText line = share(notification_line("n", {{"text", std::string(60'000, 'x')}}));
  ASSERT_TRUE(run_until(loop_, [&] { return !peer_->offer_line(line); }));
  EXPECT_LT(peer_->unsent_bytes(), kMaxDroppableQueue + 2 * line->size());
  for (int i = 0; i < 1000; ++i) peer_->send_line(line);
  ASSERT_TRUE(run_until(loop_, [&] { return ended_ && line.use_count() == 1; }));
  EXPECT_EQ(ended_->code, ErrorCode::kLimit);
}

TEST_F(RpcPeerTest, APreparedResultIsAnAnswer) {
  const SharedText parts[] = {share(R"({"a":1)"), share(R"(,"b":[2]})")};
  make_peer({[&](const std::string& method, const Json&, const RpcPeer::Reply& reply) {
               if (method == "twice") RpcPeer::answer(reply, parts);
               const RpcPeer::Reply wrapped = [&](Result<Json> answer) {
                 (*answer)["wrapped"] = true;
                 reply(std::move(answer));
               };
               RpcPeer::answer(wrapped, parts);
             },
             {}});
  make_other({});
  Answers answers;
  other_->call("twice", Json::object(), into(answers));
  other_->call("wrapped", Json::object(), into(answers));
  ASSERT_TRUE(run_until(loop_, [&] { return answers.size() == 2; }));
  ASSERT_TRUE(answers[0] && answers[1]);
  EXPECT_EQ(*answers[0], (Json{{"a", 1}, {"b", {2}}}));
  EXPECT_EQ(*answers[1], (Json{{"a", 1}, {"b", {2}}, {"wrapped", true}}));
}

TEST_F(RpcPeerTest, APeerThatAsksAndReadsNothingIsGivenUp) {
  make_peer({[](const std::string&, const Json&, const RpcPeer::Reply& reply) {
               reply(std::string(100'000, 'x'));
             },
             [this](const Error& error) { note_end(error); }});
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += request_line(i, "much", Json::object());
  send_bare(requests);
  ASSERT_TRUE(run_until(loop_, [&] { return ended_.has_value(); }));
  EXPECT_EQ(ended_->code, ErrorCode::kLimit);
}

TEST_F(RpcPeerTest, ASilentPeerIsGivenUp) {
  make_doubling_peer();
  Collector collector;
  bare_->start_reading(collector);
  Answers answers;
  peer_->call("x", Json::object(), into(answers));
  EXPECT_EQ(wait_for_line(collector)["method"], "x");
  peer_->keep_alive(2, 20);
  EXPECT_EQ(wait_for_line(collector)["method"], "ping");
  ASSERT_TRUE(run_until(loop_, [&] { return ended_.has_value(); }));
  EXPECT_EQ(ended_->code, ErrorCode::kTimeout);
  EXPECT_EQ(answers.size(), 1U);
}

// PROTOCOL.md defines this number: the session ends when the sixth ping is due.
TEST_F(RpcPeerTest, FivePingsAreSentIntoSilence) {
  make_doubling_peer();
  Collector collector;
  bare_->start_reading(collector);
  peer_->keep_alive(2, 10);
  ASSERT_TRUE(run_until(loop_, [&] { return collector.closed.has_value(); }));
  const std::string text = collector.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);
  EXPECT_THAT(text, testing::EndsWith(notification_line("silence", Json::object())))
      << "it says why it leaves";
  EXPECT_EQ(kHeartbeatTimeoutMs / kHeartbeatMs, 5);
}

TEST_F(RpcPeerTest, AListenerTakesAnEndAfterTwoUnansweredPingsForACut) {
  PeerGroup group(loop_);
  for (const bool cut : {false, true}) {
    auto [bare, peer_end] = connect_pair(loop_);
    ASSERT_TRUE(bare && peer_end);
    Collector collector;
    bare->start_reading(collector);
    std::optional<Error> ended;
    RpcPeer peer(group, tcp_channel(std::move(peer_end)),
                 {{}, [&](const Error& error) { ended = error; }});
    peer.keep_alive(cut ? 1 : kTestDeadlineMs, 2 * kTestDeadlineMs);
    for (int pings = 0; cut && pings < 2; ++pings) wait_for_line(collector);
    bare.reset();
    ASSERT_TRUE(run_until(loop_, [&] { return ended.has_value(); }));
    EXPECT_EQ(ended->code, cut ? ErrorCode::kTimeout : ErrorCode::kUnavailable);
  }
}

TEST_F(RpcPeerTest, PeersThatPingEachOtherStayTogether) {
  make_doubling_peer();
  make_other({[](const std::string& method, const Json&, const RpcPeer::Reply&) {
                ADD_FAILURE() << method << " reached the handler";
              },
              [this](const Error& error) { note_end(error); }});
  // The shortest interval that works on a slow machine: pings every 2 ms, timeout of one second.
  peer_->keep_alive(2, 1000);
  other_->keep_alive(2, 1000);
  int rounds = 0;
  Timer timer(loop_);
  timer.start(0, 10, [&] { ++rounds; });
  ASSERT_TRUE(run_until(loop_, [&] { return rounds == 150 || ended_; }));
  EXPECT_FALSE(ended_) << ended_->message;
}

}  // namespace
}  // namespace sail
