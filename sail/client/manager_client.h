// The session's dealings with the manager: stays connected, keeps the clock, opens streams (again
// after each reconnection), hands them their routing maps, passes on events, and tells the manager
// the figures of each stream. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/base/wall_clock.h"
#include "sail/client/event_box.h"
#include "sail/client/stream.h"
#include "sail/client/stream_sender.h"
#include "sail/net/loop.h"
#include "sail/net/manager_link.h"
#include "sail/wire/trace_answers.h"

namespace sail {

class ManagerClient {
 public:
  using Done = std::function<void(Result<void>)>;

  // on_first_answer comes once: the manager took us and its clock is known, or it refused us.
  // clock, events and log outlive this.
  ManagerClient(Loop& loop, const Address& manager, const std::string& name, WallClock& clock,
                EventBox& events, const Log& log, Done on_first_answer);
  ~ManagerClient();
  ManagerClient(const ManagerClient&) = delete;
  ManagerClient& operator=(const ManagerClient&) = delete;

  // Keeps the stream until close(). on_opened: frames may be submitted; or why not, then the stream
  // is not kept.
  void open(std::shared_ptr<ClientStream> stream, Done on_opened);
  // Takes the stream from the wall and lets go of it, then says so. Its application thread submits
  // no more.
  void close(const ClientStream& stream, std::function<void()> on_closed);
  // The manager hears what the stream's playback() has to tell.
  void tell_playback(const ClientStream& stream);
  // close() for all streams.
  void shut_down(std::function<void()> on_done);

 private:
  struct Entry {
    std::shared_ptr<ClientStream> stream;
    std::unique_ptr<StreamSender> sender;
    uint32_t number = 0;  // 0: not open at the manager
    std::string group{};  // that it is a member of, with what is known of its film
    std::optional<Timeline> timeline{};
    Done on_opened;  // until the first opening is decided
    bool reopening = false;
    bool closed = false;  // by force: the manager refuses to resume it
  };

  void on_connected();
  void on_lost(const Error& error);
  void on_refused(const Error& error);
  void on_request(const std::string& method, const Json& params, const RpcPeer::Reply& reply);
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
  // A stream is open again, or will not be.
  void reopened(Entry& entry);
  void tell_playback(Entry& entry);
  // Made of the last frame, when one is due and no other frame seems to come.
  void make_still_thumbnail(const Entry& entry);
  void send_thumbnail(const ClientStream& stream, Thumbnail thumbnail);
  void end(const std::shared_ptr<Entry>& entry, std::function<void()> on_ended);
  void tell_closed(uint32_t number);
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
