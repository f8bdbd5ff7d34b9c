#include "manager/api/call_sessions.h"

#include <algorithm>
#include <utility>

#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

constexpr int64_t kVerbAnswerMs = 60'000;  // for a verb to answer

}  // namespace

bool CallSessions::Caller::is_same(const Caller& other) const {
  return key_name == other.key_name && name == other.name &&
         ends.local.host == other.ends.local.host && ends.peer.host == other.ends.peer.host;
}

class CallSessions::Channel : public RequestChannel {
 public:
  Channel(sail::Loop& loop, Caller caller, std::shared_ptr<Free> free)
      : RequestChannel(loop, caller.ends),
        caller_(std::move(caller)),
        free_(std::move(free)),
        timer_(loop) {}
  ~Channel() override {
    std::erase(*free_, this);
    give({sail::ErrorCode::kUnavailable, "the session ended before the answer: try again"});
  }

  const Caller& caller() const { return caller_; }
  // last: the session ends after the answer.
  void call(sail::RpcRequest request, bool last, Take take);
  // Answers with an error.
  void give(const sail::Error& error);
  void send(std::string_view line) override;
  size_t unsent_bytes() const override { return 0; }

 private:
  void become_free();
  void retire(const sail::Error& why);

  const Caller caller_;
  const std::shared_ptr<Free> free_;
  Take take_;  // null: no request is open
  bool last_ = false;
  sail::Timer timer_;  // limits the time for an answer, then the time without a request
};

void CallSessions::Channel::call(sail::RpcRequest request, bool last, Take take) {
  take_ = std::move(take);
  last_ = last;
  timer_.start(kVerbAnswerMs, 0, [this] {
    const sail::Error late{sail::ErrorCode::kTimeout, "the verb gave no answer within a minute"};
    give(late);
    retire(late);
  });
  add(std::move(request));
}

void CallSessions::Channel::give(const sail::Error& error) {
  if (const Take take = std::exchange(take_, nullptr)) take(sail::error_line(kRequest, error));
}

void CallSessions::Channel::send(std::string_view line) {
  // The caller gets only the answer, no notifications.
  if (!take_ || sail::is_notification(line)) return;
  const Take take = std::exchange(take_, nullptr);
  if (last_) {
    retire({sail::ErrorCode::kUnavailable, "the request was answered"});
  } else {
    become_free();
  }
  take(line);
}

void CallSessions::Channel::become_free() {
  const sail::Error unused{sail::ErrorCode::kUnavailable, "no request came for a while"};
  timer_.start(kFreeMs, 0, [this, unused] { retire(unused); });
  free_->push_back(this);
  if (free_->size() > kMostFree) free_->front()->retire(unused);
}

void CallSessions::Channel::retire(const sail::Error& why) {
  std::erase(*free_, this);
  timer_.stop();
  end(why);
}

void CallSessions::call(const Caller& caller, std::string_view verb, sail::Json params, Take take) {
  if (!sail::is_method_name(verb)) {
    return take(sail::error_line(
        kRequest, {sail::ErrorCode::kInvalidRequest, "this cannot be the name of a verb"}));
  }
  // The history merges steps of one client that have the same `gesture`. It must not merge requests
  // of different people who use the same key.
  const bool last = params.contains("gesture");
  sail::RpcRequest request{kRequest, std::string(verb), std::move(params)};
  const auto known = std::find_if(free_->rbegin(), free_->rend(), [&](const Channel* channel) {
    return channel->caller().is_same(caller);
  });
  if (known != free_->rend()) {
    Channel& channel = **known;
    std::erase(*free_, &channel);
    return channel.call(std::move(request), last, std::move(take));
  }
  auto made = std::make_unique<Channel>(loop_, caller, free_);
  Channel& channel = *made;
  channel.call(std::move(request), last, std::move(take));
  service_.accept_proven(std::move(made), caller.key_name, caller.name,
                         [&channel](const sail::Result<sail::Json>& welcome) {
                           if (!welcome) channel.give(welcome.error());
                         });
}

}  // namespace manager
