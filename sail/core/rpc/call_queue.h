// Calls that a program makes for others, such as events from a broker. A limited number runs at a
// time; the others wait in their order, also while the manager is not connected. Loop thread.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>

#include "sail/core/rpc/manager_link.h"

namespace sail {

class CallQueue {
 public:
  static constexpr size_t kMostRunning = 16;
  static constexpr size_t kMostWaiting = 256;

  // Returns the connection to the manager; null: there is none. Called only by add() and run().
  explicit CallQueue(std::function<RpcPeer*()> manager) : manager_(std::move(manager)) {}
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  // The answer arrives as with RpcPeer::call(). kLimit: too many calls wait; this one is dropped.
  Result<void> add(std::string verb, Json params, RpcPeer::AnswerCallback answer);
  // Runs calls that wait: the manager is connected.
  void run();

 private:
  struct Waiting {
    std::string verb;
    Json params;
    RpcPeer::AnswerCallback answer;
  };

  const std::function<RpcPeer*()> manager_;
  std::deque<Waiting> waiting_;
  size_t running_ = 0;
};

}  // namespace sail
