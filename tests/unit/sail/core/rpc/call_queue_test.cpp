#include "sail/core/rpc/call_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <tuple>
#include <vector>

#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

class CallQueueTest : public testing::Test {
 protected:
  // Connects a client with a manager that answers when the test says so.
  void connect() {
    auto [here, there] = connect_pair(loop_);
    ASSERT_TRUE(here && there);
    manager_ = std::make_unique<RpcPeer>(
        loop_, std::move(there),
        RpcPeer::Handlers{.on_request =
                              [this](const std::string&, const Json& params, RpcPeer::Reply reply) {
                                asked_.push_back(params["number"].get<int>());
                                replies_.push_back(std::move(reply));
                              },
                          .on_closed = [](const Error&) {}});
    client_ = std::make_unique<RpcPeer>(loop_, std::move(here), RpcPeer::Handlers{});
  }
  Result<void> add(int number) {
    return queue_.add("verb", {{"number", number}},
                      [this](const Result<Json>& answer) { answers_.push_back(answer); });
  }
  bool comes_to(size_t asked) {
    return run_until(loop_, [&] { return asked_.size() == asked; });
  }

  Loop loop_;
  std::vector<int> asked_;
  std::vector<RpcPeer::Reply> replies_;
  std::vector<Result<Json>> answers_;
  CallQueue queue_{[this] { return client_.get(); }};
  std::unique_ptr<RpcPeer> manager_;
  std::unique_ptr<RpcPeer> client_;
};

TEST_F(CallQueueTest, CallsWaitForTheConnectionAndKeepTheirOrder) {
  constexpr int kCalls = int{CallQueue::kMostRunning} + 2;
  for (int i = 0; i < kCalls; ++i) EXPECT_TRUE(add(i));
  connect();
  queue_.run();
  ASSERT_TRUE(comes_to(CallQueue::kMostRunning));
  EXPECT_TRUE(answers_.empty());
  replies_[0](Json::object());
  replies_[1](fail(ErrorCode::kNotFound, "none"));
  ASSERT_TRUE(comes_to(kCalls));
  for (int i = 0; i < kCalls; ++i) EXPECT_EQ(asked_[static_cast<size_t>(i)], i);
  ASSERT_EQ(answers_.size(), 2u);
  EXPECT_TRUE(answers_[0]);
  EXPECT_EQ(answers_[1].error().code, ErrorCode::kNotFound);
}

TEST_F(CallQueueTest, TooManyAreRefused) {
  for (size_t i = 0; i < CallQueue::kMostWaiting; ++i) EXPECT_TRUE(add(0));
  const auto refused = add(0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
}

TEST_F(CallQueueTest, CallsThatWaitOutliveTheSession) {
  connect();
  for (size_t i = 0; i <= CallQueue::kMostRunning; ++i) EXPECT_TRUE(add(static_cast<int>(i)));
  ASSERT_TRUE(comes_to(CallQueue::kMostRunning));
  manager_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return answers_.size() == CallQueue::kMostRunning; }));
  EXPECT_EQ(answers_[0].error().code, ErrorCode::kUnavailable);
  client_.reset();
  connect();
  queue_.run();
  ASSERT_TRUE(comes_to(CallQueue::kMostRunning + 1));
  EXPECT_EQ(asked_.back(), int{CallQueue::kMostRunning});
}

}  // namespace
}  // namespace sail
