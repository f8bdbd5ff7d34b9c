#include "sail/client/sender/frame_feed.h"

#include <algorithm>

#include "sail/core/time/clock.h"

namespace sail {

FrameFeed::FrameFeed(const Parts& parts) : parts_(parts) {}

void FrameFeed::serve_all() {
  for (StreamLink& link : parts_.links) serve(link);
}

void FrameFeed::serve(StreamLink& link) {
  ReceiverConnection& connection = *link.connection;
  bytes_sent_ += connection.pump();
  link.note_sent(parts_.trace);
  if (link.plan == nullptr) {
    // Keep the connection until the receiver knows that it no longer shows the stream. If it cannot
    // be reached, it comes back sooner on a new connection: TCP would try again only after seconds.
    const bool informed = !parts_.swaps.changing() && !is_of_next_map(link);
    if (informed && (connection.idle() || connection.is_unreachable(steady_now_ns()))) close(link);
    return;
  }
  if (!is_due(link)) return;
  const bool by_group = link.in_group() && goes_by_group();
  link.note_begun(*newest_, parts_.routes.map().epoch);
  if (!link.recorder) parts_.ledger.sent(link.number(), link.sent_frame, link.sent_epoch);
  link.begun_ns = parts_.trace != nullptr && parts_.trace->on() ? steady_now_ns() : 0;
  connection.begin(newest_for(link, by_group));
  bytes_sent_ += connection.pump();
  link.note_sent(parts_.trace);
}

bool FrameFeed::takes_newest(const StreamLink& link) const {
  if (link.plan == nullptr) return false;
  const RoutePlan& map = parts_.routes.map();
  const bool wanted = newest_ &&
                      (link.sent_frame != newest_->number() || link.sent_epoch < map.epoch) &&
                      (newest_->is_for(*map.wanted) || link.plan->covered_by(*newest_));
  if (!wanted || !link.connection->takes_frame()) return false;
  // A receiver that was left behind first processes the frames that it has.
  return !parts_.swaps.is_left_behind(link) || link.connection->idle();
}

bool FrameFeed::goes_by_group() const {
  const MulticastFrames* group = parts_.multicast.frames();
  if (group == nullptr) return false;
  if (group->has_begun({newest_->number(), parts_.routes.map().epoch})) return true;
  return std::ranges::all_of(parts_.links, [this](const StreamLink& link) {
    return !link.in_group() || takes_newest(link);
  });
}

bool FrameFeed::is_due(const StreamLink& link) {
  if (!takes_newest(link)) return false;
  return link.recorder ? must_send_to(link) : !waits_for_busy_link() && must_send_newest();
}

void FrameFeed::close(StreamLink& link) {
  if (link.connection->closed()) return;
  link.plan = nullptr;
  parts_.ledger.lost(link.number());
  parts_.swaps.lose(link);
  link.connection->close();
}

bool FrameFeed::is_of_next_map(const StreamLink& link) const {
  const auto& next = parts_.routes.next();
  return next && std::ranges::any_of(next->receivers,
                                     [&](const auto& plan) { return link.leads_to(*plan); });
}

bool FrameFeed::waits_for_busy_link() const {
  if (!parts_.links.by_packets()) return false;
  bool busy = false;
  for (const StreamLink& link : parts_.links) {
    if (!link.is_active() || parts_.swaps.is_left_behind(link)) continue;
    if (link.sent_frame == newest_->number() && link.sent_epoch == parts_.routes.map().epoch) {
      return false;
    }
    if (!link.connection->takes_frame()) busy = true;
  }
  return busy;
}

OutgoingFrame FrameFeed::newest_for(const StreamLink& link, bool by_group) const {
  const StreamPace& pace = parts_.pace;
  const int64_t now_ns = parts_.clock.wall_now_ns();
  // A frame sent late, such as the last frame for a new map, gets its full delay from now.
  const int64_t delay_ns = link.delay_ns(pace);
  const bool late = delay_ns > 0 && now_ns - newest_->submitted_ns() > pace.interval_ns();
  return {.frame = newest_,
          .plan = link.plan,
          .epoch = parts_.routes.map().epoch,
          .submitted_ns = late ? now_ns : newest_->submitted_ns(),
          .delay_us = static_cast<uint32_t>(delay_ns / 1000),
          .interval_ns = pace.interval_ns(),
          .by_group = by_group};
}

bool FrameFeed::must_send_newest() {
  if (newest_->changed()) return true;
  // The group waits for this frame even if nothing has changed.
  if (parts_.swaps.grouped() && newest_->name() != 0) return true;
  if (!newest_->has_all_rows()) return false;
  if (!is_on_wall(*newest_)) return true;
  for (StreamLink& link : parts_.links) {
    if (link.is_awaited()) link.sent_frame = newest_->number();
  }
  parts_.ledger.already_shown(newest_->number(), parts_.clock.wall_now_ns());
  return false;
}

// Unlike newest_is_news(), waits for all rows: a recorder has time.
bool FrameFeed::must_send_to(const StreamLink& recorder) const {
  return newest_->has_all_rows() &&
         !(recorder.on_wall && recorder.sent_epoch == parts_.routes.map().epoch &&
           recorder.sent_picture == newest_->picture());
}

bool FrameFeed::is_on_wall(const EncodedFrame& frame) const {
  return std::ranges::all_of(parts_.links, [&](const StreamLink& link) {
    return !link.is_awaited() ||
           (link.connection->accepted() && link.on_wall &&
            link.sent_epoch == parts_.routes.map().epoch && link.sent_picture == frame.picture());
  });
}

bool FrameFeed::adapt_sizes() {
  if (!newest_ || !parts_.routes.routed()) return false;
  const int64_t now_ns = steady_now_ns();
  bool changed = false;
  for (StreamLink& link : parts_.links) {
    if (!link.is_active() || parts_.swaps.is_left_behind(link)) continue;
    const bool missed = link.sent_frame != newest_->number() && link.connection->held_back();
    if (!link.step.add(now_ns, !missed)) continue;
    changed = true;
    parts_.log.info(
        "stream {}: receiver '{}' gets frames halved {} times because of its link (0: full size)",
        parts_.links.stream(), link.connection->receiver(), link.step.steps());
  }
  return changed;
}

}  // namespace sail
