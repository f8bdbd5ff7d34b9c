// Verbs without a connection of their own, such as those of HTTP requests and of the schedule: each
// runs in a session of the RPC service, with the same checks and limits as verbs of other clients.
// A session is used again by the next request of the same caller, but has only one request at a
// time. Runs on the loop thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "manager/api/request_channels.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/json.h"

namespace manager {

class CallSessions {
 public:
  static constexpr int64_t kRequest = 1;    // id of each request
  static constexpr size_t kMostFree = 16;   // idle sessions
  static constexpr int64_t kFreeMs = 2000;  // lifetime of an idle session

  struct Caller {
    RequestEnds ends;
    std::string key_name;  // authenticated; "": the wall has no key
    std::string name;      // as others see it

    // Whether both may share a session. Their ports may differ.
    bool is_same(const Caller& other) const;
  };
  // Takes the answer: a JSON-RPC response with the id kRequest.
  using Take = std::function<void(std::string_view line)>;

  // service must outlive this object. Sessions may outlive this object.
  CallSessions(sail::Loop& loop, sail::RpcService& service) : loop_(loop), service_(service) {}

  // params: an object. Calls `take` once: with the verb's answer, or with an error after a minute
  // or at the end of the session.
  void call(const Caller& caller, std::string_view verb, sail::Json params, Take take);

 private:
  class Channel;
  using Free = std::vector<Channel*>;  // the last one was used last

  sail::Loop& loop_;
  sail::RpcService& service_;
  const std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

}  // namespace manager
