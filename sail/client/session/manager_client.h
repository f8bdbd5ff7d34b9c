// The session's connection to the manager. Reconnects after a loss and synchronises the clock.
// Opens streams, again after each reconnection, and reports each stream's statistics. StreamNotices
// handles the manager's messages about them. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/client/session/event.h"
#include "sail/client/session/managed_stream.h"
#include "sail/client/session/stream.h"
#include "sail/client/session/stream_notices.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wall/display_color.h"

namespace sail {

class ManagerClient {
 public:
  using Done = std::function<void(Result<void>)>;
  using OnDisplay = std::function<void(const codecs::DisplayColor&)>;

  // on_display gets the colours of the displays, before on_first_answer and after each
  // reconnection. on_first_answer is called once: either the manager accepted the session and its
  // clock is known, or it refused. clock, events and log must outlive this object.
  ManagerClient(Loop& loop, const Address& manager, const std::string& name, WallClock& clock,
                EventBox& events, const Log& log, OnDisplay on_display, Done on_first_answer);
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
  void on_connected(const Json& welcome);
  void on_lost(const Error& error);
  void on_refused(const Error& error);
  void on_heartbeat();
  void on_clock(const ClockLine& line, bool exchanged);

  void request_open(const ManagedStreams::Shared& entry);
  void on_open_answer(const std::weak_ptr<ManagedStream>& entry, const Result<Json>& answer);
  void opened(const ManagedStreams::Shared& entry, const StreamOpened& opened);
  void not_opened(const ManagedStreams::Shared& entry, const Error& error);
  // Called when a stream was opened again or could not be opened again.
  void reopened(ManagedStream& entry);
  void report_playback(ManagedStream& entry);
  void end(const ManagedStreams::Shared& entry, std::function<void()> on_ended);
  void report_closed(uint32_t number);

  Loop& loop_;
  WallClock& clock_;
  EventBox& events_;
  const Log& log_;
  const OnDisplay on_display_;
  Done on_first_answer_;
  bool was_connected_ = false;
  ManagedStreams streams_;
  ThumbnailSender thumbnails_;
  StreamNotices notices_;
  ManagerLink link_;
};

}  // namespace sail
