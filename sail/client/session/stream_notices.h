// Handles the manager's messages about the session's streams: routing maps, groups, people's
// actions, input, requests for thumbnails and traces. Loop thread.
#pragma once

#include <string>
#include <vector>

#include "sail/client/session/managed_stream.h"
#include "sail/core/wire/trace_answers.h"

namespace sail {

class StreamNotices {
 public:
  // All must outlive this object.
  StreamNotices(const ManagedStreams& streams, ThumbnailSender& thumbnails, ManagerLink& link,
                const WallClock& clock, EventBox& events, const Log& log)
      : streams_(streams),
        thumbnails_(thumbnails),
        link_(link),
        clock_(clock),
        events_(events),
        log_(log) {}

  void on_request(const std::string& method, const Json& params, const RpcPeer::Reply& reply);

 private:
  Result<void> handle(const std::string& method, const Json& params);
  // If the address is link-local, sets its scope to the interface that reaches the manager.
  void put_on_link(std::string& host);
  Result<void> on_routes(const Json& params);
  Result<void> on_take_effect(const Json& params);
  Result<void> on_group(const Json& params);
  Result<void> on_app_event(const Json& params);
  Result<void> on_input(const Json& params);
  Result<void> on_thumbnails(const Json& params);
  Result<void> on_sound_routes(const Json& params);
  Result<void> on_trace(const Json& params);
  // Returns the trace in wall time, with the streams' numbers at this manager.
  std::vector<TraceStamp> stamps() const;

  const ManagedStreams& streams_;
  ThumbnailSender& thumbnails_;
  ManagerLink& link_;
  const WallClock& clock_;
  EventBox& events_;
  const Log& log_;
  TraceAnswers trace_;
};

}  // namespace sail
