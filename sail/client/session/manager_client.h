// The session's connection to the manager. Reconnects after a loss and synchronises the clock.
// Opens streams (again after each reconnection) and passes them their routing maps. Queues events
// for the application and reports each stream's statistics. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/client/sender/stream_sender.h"
#include "sail/client/session/event.h"
#include "sail/client/session/stream.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/trace_answers.h"

namespace sail {

class ManagerClient {
 public:
  using Done = std::function<void(Result<void>)>;

  // on_first_answer is called once: either the manager accepted the session and its clock is known,
  // or it refused. clock, events and log must outlive this object.
  ManagerClient(Loop& loop, const Address& manager, const std::string& name, WallClock& clock,
                EventBox& events, const Log& log, Done on_first_answer);
  ~ManagerClient();
  ManagerClient(const ManagerClient&) = delete;
  ManagerClient& operator=(const ManagerClient&) = delete;

  // Keeps the stream until close(). on_opened reports success (frames may be submitted) or the
  // error; after an error the stream is not kept.
  void open(std::shared_ptr<ClientStream> stream, Done on_opened);
  // Removes the stream from the wall, releases it, then calls on_closed. The application must not
  // submit any more frames.
  void close(const ClientStream& stream, std::function<void()> on_closed);
  // Sends the stream's playback() state to the manager if it has changed.
  void report_playback(const ClientStream& stream);
  // Closes all streams.
  void shut_down(std::function<void()> on_done);

 private:
  struct Entry {
    std::shared_ptr<ClientStream> stream;
    std::unique_ptr<StreamSender> sender;
    uint32_t number = 0;  // 0: not open at the manager
    // Name of its group, and the group's timeline if known.
    std::string group{};
    std::optional<Timeline> timeline{};
    // Set until the first opening succeeds or fails.
    Done on_opened;
    bool reopening = false;
    bool closed = false;  // the manager refuses to resume it
  };

  void on_connected();
  void on_lost(const Error& error);
  void on_refused(const Error& error);
  void on_request(const std::string& method, const Json& params, const RpcPeer::Reply& reply);
  void put_on_link(std::string& host);
  Result<void> on_routes(const Json& params);
  Result<void> on_take_effect(const Json& params);
  Result<void> on_group(const Json& params);
  Result<void> on_app_event(const Json& params);
  Result<void> on_input(const Json& params);
  Result<void> on_thumbnails(const Json& params);
  Result<void> on_sound_routes(const Json& params);
  Result<void> on_trace(const Json& params);
  std::vector<TraceStamp> stamps() const;
  void on_heartbeat();
  void on_clock(const ClockLine& line, bool settled);

  void request_open(const std::shared_ptr<Entry>& entry);
  void on_open_answer(const std::weak_ptr<Entry>& entry, const Result<Json>& answer);
  void opened(const std::shared_ptr<Entry>& entry, const StreamOpened& opened);
  void not_opened(const std::shared_ptr<Entry>& entry, const Error& error);
  // Called when a stream was opened again or failed to.
  void reopened(Entry& entry);
  void report_playback(Entry& entry);
  // Makes a thumbnail of the last frame if one is due and no newer frame seems to follow.
  void make_still_thumbnail(const Entry& entry);
  void send_thumbnail(const ClientStream& stream, Thumbnail thumbnail);
  void end(const std::shared_ptr<Entry>& entry, std::function<void()> on_ended);
  void report_closed(uint32_t number);
  Entry* find(uint32_t number);
  Entry* find(const ClientStream* stream);

  void push(const sail_event& event);
  void push(const sail_event& event, const std::shared_ptr<ClientStream>& stream);

  Loop& loop_;
  WallClock& clock_;
  EventBox& events_;
  const Log& log_;
  Done on_first_answer_;
  bool was_connected_ = false;
  TraceAnswers trace_;
  std::vector<std::shared_ptr<Entry>> entries_;
  ManagerLink link_;
};

}  // namespace sail
