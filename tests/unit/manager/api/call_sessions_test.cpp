// Sessions of requests: which requests share one, and how sessions end.
#include "manager/api/call_sessions.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/wire/rpc.h"
#include "tests/unit/sail/core/rpc/service_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;

class CallSessionsTest : public sail::ServiceTest {
 protected:
  using Answer = sail::Result<Json>;

  void start(sail::RpcService::Options options = {}) {
    const auto who = [](const sail::RpcCall& call) {
      call.reply(Json{{"client", call.peer.id()}, {"right", right_name(call.peer.right())}});
    };
    const auto wait = [this](const sail::RpcCall& call) {
      waiting_.emplace_back(call.peer.id(), call.reply);
    };
    ServiceTest::start(std::move(options),
                       {{.name = "wait", .ui = sail::Right::kViewer, .run = wait},
                        {.name = "who", .ui = sail::Right::kViewer, .run = who}});
    sessions_.emplace(loop_, *service_);
  }
  static CallSessions::Caller caller(const std::string& key_name, const std::string& host = "::1") {
    return {.ends = {{"127.0.0.1", 7480, {}}, {host, 40000, {}}},
            .key_name = key_name,
            .name = "lobby"};
  }
  // Returns where the answer will be.
  std::shared_ptr<std::optional<Answer>> send(const CallSessions::Caller& from, const char* verb,
                                              const Json& params = Json::object()) {
    const auto answer = std::make_shared<std::optional<Answer>>();
    sessions_->call(from, verb, params, [answer](std::string_view line) {
      EXPECT_FALSE(answer->has_value()) << "a second answer";
      const auto message = sail::parse_rpc(line.substr(0, line.find('\n')));
      const auto& response = std::get<sail::RpcResponse>(*message);
      EXPECT_EQ(response.id, CallSessions::kRequest);
      *answer = response.result;
    });
    return answer;
  }
  Answer ask(const CallSessions::Caller& from, const char* verb,
             const Json& params = Json::object()) {
    const auto answer = send(from, verb, params);
    EXPECT_TRUE(run_until(loop_, [&] { return answer->has_value(); }));
    return answer->value_or(sail::fail(ErrorCode::kTimeout, "nothing came"));
  }
  uint64_t client(const CallSessions::Caller& from, const Json& params = Json::object()) {
    const Answer answer = ask(from, "who", params);
    return answer ? answer->value("client", uint64_t{0}) : 0;
  }
  // Sends requests that wait, until all have begun.
  std::vector<std::shared_ptr<std::optional<Answer>>> begin(size_t count) {
    std::vector<std::shared_ptr<std::optional<Answer>>> answers;
    for (size_t i = 0; i < count; ++i) answers.push_back(send(caller("operator"), "wait"));
    EXPECT_TRUE(run_until(loop_, [&] { return waiting_.size() == count; }));
    return answers;
  }

  std::vector<std::pair<uint64_t, sail::RpcPeer::Reply>> waiting_;
  std::optional<CallSessions> sessions_;
};

TEST_F(CallSessionsTest, RequestsOfOneCallerShareASession) {
  start();
  const uint64_t first = client(caller("operator/lobby"));
  EXPECT_NE(first, 0U);
  EXPECT_EQ(client(caller("operator/lobby")), first);
  EXPECT_NE(client(caller("viewer/lobby")), first);
  EXPECT_NE(client(caller("operator/lobby", "10.0.0.1")), first);
  EXPECT_EQ(client(caller("operator/lobby")), first);
}

TEST_F(CallSessionsTest, RequestsAtATimeHaveSessionsOfTheirOwn) {
  start();
  const auto answers = begin(2);
  EXPECT_NE(waiting_[0].first, waiting_[1].first);
  waiting_[1].second(Json(2));
  waiting_[0].second(Json(1));
  EXPECT_EQ(***answers[0], Json(1));
  EXPECT_EQ(***answers[1], Json(2));
}

TEST_F(CallSessionsTest, StepsOfADragAreOfDifferentClients) {
  start();
  const uint64_t first = client(caller("operator"), {{"gesture", "drag"}});
  EXPECT_NE(client(caller("operator"), {{"gesture", "drag"}}), first);
}

TEST_F(CallSessionsTest, FreeSessionsAreFewAndEnd) {
  start();
  const size_t count = CallSessions::kMostFree + 3;
  begin(count);
  EXPECT_EQ(service_->peers().size(), count);
  for (const auto& [peer, reply] : waiting_) reply(Json::object());
  EXPECT_TRUE(
      run_until(loop_, [&] { return service_->peers().size() == CallSessions::kMostFree; }));
  EXPECT_TRUE(run_until(loop_, [&] { return service_->peers().empty(); }));
  EXPECT_NE(client(caller("operator")), 0U);
}

TEST_F(CallSessionsTest, TheEndOfASessionIsAnError) {
  start();
  const auto answers = begin(1);
  service_->end(waiting_[0].first, "its key has ended");
  ASSERT_TRUE(answers[0]->has_value());
  EXPECT_EQ((*answers[0])->error().code, ErrorCode::kUnavailable);
  waiting_[0].second(Json::object());  // too late
  EXPECT_NE(client(caller("operator")), waiting_[0].first);
  // A session that was ended while it was free is not used either.
  const uint64_t free = client(caller("operator"));
  service_->end(free, "its key has ended");
  EXPECT_NE(client(caller("operator")), free);
}

TEST_F(CallSessionsTest, RefusalsAreAnswers) {
  start({.access = {}, .max_peers = 1});
  const auto answers = begin(1);
  const Answer refused = ask(caller("operator"), "who");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_EQ(ask(caller("operator"), "who").error().code, ErrorCode::kLimit);
  waiting_[0].second(Json::object());
  EXPECT_NE(client(caller("operator")), 0U);
  EXPECT_EQ(ask(caller("operator"), "whom").error().code, ErrorCode::kUnknownMethod);
}

TEST_F(CallSessionsTest, ANameThatNoVerbCanHaveIsRefused) {
  start();
  for (const std::string& name : {std::string(), std::string(65, 'a'), std::string("who\n")}) {
    const Answer refused = ask(caller("operator"), name.c_str());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidRequest) << name;
  }
  EXPECT_TRUE(service_->peers().empty());
}

}  // namespace
}  // namespace manager
