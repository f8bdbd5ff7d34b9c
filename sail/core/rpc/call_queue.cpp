#include "sail/core/rpc/call_queue.h"

#include <fmt/core.h>

#include <utility>

namespace sail {

Result<void> CallQueue::add(std::string verb, Json params, RpcPeer::AnswerCallback answer) {
  if (waiting_.size() >= kMostWaiting) {
    return fail(ErrorCode::kLimit, fmt::format("{} calls wait already", kMostWaiting));
  }
  waiting_.push_back({std::move(verb), std::move(params), std::move(answer)});
  run();
  return {};
}

void CallQueue::run() {
  RpcPeer* const manager = waiting_.empty() ? nullptr : manager_();
  while (manager != nullptr && !waiting_.empty() && running_ < kMostRunning) {
    const Waiting call = std::move(waiting_.front());
    waiting_.pop_front();
    ++running_;
    manager->call(call.verb, call.params, [this, answer = call.answer](const Result<Json>& result) {
      --running_;
      answer(result);
      // The session may have ended: the others wait for the next one.
      if (result || result.error().code != ErrorCode::kUnavailable) run();
    });
  }
}

}  // namespace sail
