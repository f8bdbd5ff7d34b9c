// The session's streams as the manager knows them. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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

namespace sail {

struct ManagedStream {
  std::shared_ptr<ClientStream> stream;
  std::unique_ptr<StreamSender> sender{};
  uint32_t number = 0;  // 0: not open at the manager
  // Name of its group, and the group's timeline if known.
  std::string group{};
  std::optional<Timeline> timeline{};
  // Set until the first opening succeeds or fails.
  std::function<void(Result<void>)> on_opened{};
  bool reopening = false;
  bool closed = false;  // the manager refuses to resume it
};

class ManagedStreams {
 public:
  using Shared = std::shared_ptr<ManagedStream>;

  void add(Shared stream) { streams_.push_back(std::move(stream)); }
  void remove(const Shared& stream) { std::erase(streams_, stream); }
  const std::vector<Shared>& all() const { return streams_; }
  // Null if there is none.
  ManagedStream* find(uint32_t number) const;
  Shared find(const ClientStream* stream) const;

 private:
  std::vector<Shared> streams_;
};

// Sends the streams' thumbnails to the manager.
class ThumbnailSender {
 public:
  // All must outlive this object.
  ThumbnailSender(const ManagedStreams& streams, ManagerLink& link, const WallClock& clock)
      : streams_(streams), link_(link), clock_(clock) {}

  // Makes a thumbnail of the last frame if one is due and no newer frame seems to follow.
  void make_still(const ManagedStream& of);
  // Dropped if it cannot be sent now: the next thumbnail is as good.
  void send(const ClientStream& stream, Thumbnail thumbnail);

 private:
  const ManagedStreams& streams_;
  ManagerLink& link_;
  const WallClock& clock_;
};

// Makes the stream's sender. Its reports become events; epochs that are ready go to the manager.
// The arguments must outlive the sender.
std::unique_ptr<StreamSender> make_sender(Loop& loop, const std::shared_ptr<ClientStream>& stream,
                                          ManagerLink& link, const WallClock& clock,
                                          EventBox& events, const Log& log);
// Reports a frame's fate to an application that watches frames. Any thread.
void report_fate(EventBox& events, const std::weak_ptr<ClientStream>& stream,
                 const FrameFate& fate);

}  // namespace sail
