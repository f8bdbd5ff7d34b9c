#include "sail/client/session/managed_stream.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/rpc.h"

namespace sail {

ManagedStream* ManagedStreams::find(uint32_t number) const {
  const auto it = std::ranges::find(streams_, number, &ManagedStream::number);
  return it == streams_.end() ? nullptr : it->get();
}

ManagedStreams::Shared ManagedStreams::find(const ClientStream* stream) const {
  const auto it = std::ranges::find_if(
      streams_, [&](const Shared& known) { return known->stream.get() == stream; });
  return it == streams_.end() ? nullptr : *it;
}

// --- thumbnails ---------------------------------------------------------------------------------

void ThumbnailSender::make_still(const ManagedStream& of) {
  const FrameRef& newest = of.sender->newest();
  ThumbnailMaker& maker = of.stream->thumbnails();
  if (!newest || !newest->has_all_rows() || newest->number() == maker.made_of() ||
      clock_.wall_now_ns() - newest->submitted_ns() < kStillNs ||
      !maker.take_due(steady_now_ns())) {
    return;
  }
  if (auto made = maker.make(*newest)) send(*of.stream, *std::move(made));
}

void ThumbnailSender::send(const ClientStream& stream, Thumbnail thumbnail) {
  RpcPeer* peer = link_.peer();
  const auto of = streams_.find(&stream);
  if (peer == nullptr || of == nullptr || of->number == 0) return;
  thumbnail.stream = of->number;
  peer->offer_line(notification_line("thumbnail", to_json(thumbnail)));
}

// --- the sender ---------------------------------------------------------------------------------

void report_fate(EventBox& events, const std::weak_ptr<ClientStream>& stream,
                 const FrameFate& fate) {
  const auto of = stream.lock();
  if (of && of->frames_watched()) events.push(frame_event(fate), of);
}

std::unique_ptr<StreamSender> make_sender(Loop& loop, const std::shared_ptr<ClientStream>& stream,
                                          ManagerLink& link, const WallClock& clock,
                                          EventBox& events, const Log& log) {
  const auto report = [&events, weak = std::weak_ptr(stream)](const sail_event& event) {
    if (const auto of = weak.lock()) events.push(event, of);
  };
  const auto frame_done = [&events, weak = std::weak_ptr(stream)](const FrameFate& fate) {
    if (const auto of = weak.lock()) of->sound().frame_done(fate);
    report_fate(events, weak, fate);
  };
  const auto epoch_ready = [&link](const EpochReady& ready) {
    RpcPeer* peer = link.peer();
    if (peer != nullptr) peer->notify("epoch_ready", to_json(ready));
  };
  const StreamSpec& spec = stream->spec();
  return std::make_unique<StreamSender>(
      loop, spec.codec.codec,
      FrameShape{.frame_size = spec.frame_size,
                 .block_size = spec.block_size,
                 .scaling = scaling_of(spec.codec.codec.id),
                 .encoded = spec.encoded,
                 .max_reduction = spec.max_reduction},
      StreamSender::Options{.fps = spec.fps,
                            .delay_ms = spec.delay_ms,
                            .mtu = spec.mtu,
                            .apart = spec.apart,
                            .part = spec.part.has_value(),
                            .trace = &stream->trace()},
      stream->submit_queue(), clock, log,
      StreamSender::Handlers{
          .on_fate = frame_done,
          .on_window = [report](const Rect& wall_rect) { report(window_event(wall_rect)); },
          .on_refresh = [report] { report(make_event(SAIL_EVENT_REFRESH)); },
          .on_trouble = [report](const LinkStats& trouble) { report(receiver_event(trouble)); },
          .on_epoch_ready = epoch_ready});
}

}  // namespace sail
