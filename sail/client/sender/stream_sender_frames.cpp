// The sender's frames: which frames each receiver is sent, and when.
#include <algorithm>
#include <utility>

#include "sail/client/encode/frame_encoder.h"
#include "sail/client/sender/stream_sender.h"
#include "sail/core/time/clock.h"

namespace sail {

void StreamSender::begin(FrameRef frame) {
  // Capturing two plain pointers needs no allocation in std::function. A running loop never loses a
  // task, so the reference is not lost either.
  loop_.post([this, plain = frame.release()] { handle_frame(FrameRef::adopt(plain)); });
}

void StreamSender::rows_ready() {
  if (rows_posted_.exchange(true, std::memory_order_acq_rel)) return;
  loop_.post([this] { handle_rows(); });
}

void StreamSender::handle_frame(FrameRef frame) {
  serve_all();  // the previous frame is complete by now
  if (next_map_ && frame->is_for(*next_map_->wanted)) take_next_map();
  evaluate_links();
  if (!covers_map(*frame)) {
    // The map changed while the frame was encoded.
    submit_queue_.turn_away();
    handlers_.on_fate({.number = frame->number(), .submitted_ns = frame->submitted_ns()});
    ask_again();
    return;
  }
  newest_ = std::move(frame);
  pace_.add_frame(newest_->number(), newest_->submitted_ns());
  if (newest_->name() != 0) {
    const int64_t present_ns = newest_->present_ns();
    plan_.add(newest_->number(), present_ns == 0 ? 0 : clock_.to_steady_ns(present_ns),
              newest_->name());
    carry_out_plan();
  }
  adapt_pace();
  ledger_.add(newest_->number(), newest_->submitted_ns());
  serve_all();
  publish();
}

void StreamSender::handle_rows() {
  // Clear the flag first: rows finished later post another task.
  rows_posted_.exchange(false, std::memory_order_acq_rel);
  serve_all();
}

void StreamSender::serve_all() {
  for (Link& link : links_) serve(link);
}

bool StreamSender::covers(const RoutePlan& map, const EncodedFrame& frame) {
  return frame.is_for(*map.wanted) ||
         std::all_of(map.receivers.begin(), map.receivers.end(), [&](const auto& plan) {
           return plan->recorder() != 0 || plan->covered_by(frame);
         });
}

void StreamSender::serve(Link& link) {
  ReceiverConnection& connection = *link.connection;
  bytes_sent_ += connection.pump();
  note_sent(link);
  if (link.plan == nullptr) {
    // Keep the connection until the receiver knows that it no longer shows the stream.
    const bool told = !plan_.changing() && !is_of_next_map(connection);
    if (told && connection.idle()) close_link(link);
    return;
  }
  const bool wanted = newest_ &&
                      (link.sent_frame != newest_->number() || link.sent_epoch < map_.epoch) &&
                      (newest_->is_for(*map_.wanted) || link.plan->covered_by(*newest_));
  if (!wanted || !connection.takes_frame()) return;
  // A receiver left behind first works off what it has.
  if (is_passed_over(link) && !connection.idle()) return;
  if (link.recorder ? !is_news_for(link) : waits_for_busy_link() || !newest_is_news()) return;
  link.sent_frame = newest_->number();
  link.sent_epoch = map_.epoch;
  link.sent_picture = newest_->picture();
  link.on_wall = link.lost = false;
  if (!link.recorder) ledger_.sent(connection.number(), link.sent_frame, link.sent_epoch);
  link.begun_ns = trace_ != nullptr && trace_->on() ? steady_now_ns() : 0;
  connection.begin(newest_for(link));
  bytes_sent_ += connection.pump();
  note_sent(link);
}

void StreamSender::note_sent(Link& link) {
  if (link.begun_ns == 0 || link.connection->sending()) return;
  trace_->add({.stage = TraceStage::kSend,
               .lane = kLoopLane,
               .frame = link.sent_frame,
               .begin_ns = std::exchange(link.begun_ns, 0),
               .end_ns = steady_now_ns()});
}

bool StreamSender::waits_for_busy_link() const {
  if (stream_open_.symbol_bytes == 0) return false;
  bool busy = false;
  for (const Link& link : links_) {
    if (!link.counts() || !link.connection->accepted() || is_passed_over(link)) continue;
    if (link.sent_frame == newest_->number() && link.sent_epoch == map_.epoch) return false;
    if (!link.connection->takes_frame()) busy = true;
  }
  return busy;
}

OutgoingFrame StreamSender::newest_for(const Link& link) const {
  const int64_t now_ns = clock_.wall_now_ns();
  // A frame sent late, such as the last frame for a new map, gets its full delay from now.
  const bool late = pace_.delay_ns() > 0 && now_ns - newest_->submitted_ns() > pace_.interval_ns();
  return {.frame = newest_,
          .plan = link.plan,
          .epoch = map_.epoch,
          .submitted_ns = late ? now_ns : newest_->submitted_ns(),
          .delay_us = static_cast<uint32_t>(pace_.delay_ns() / 1000),
          .interval_ns = pace_.interval_ns()};
}

bool StreamSender::newest_is_news() {
  if (newest_->changed()) return true;
  // The group waits for this frame even if nothing has changed.
  if (plan_.grouped() && newest_->name() != 0) return true;
  if (!newest_->has_all_rows()) return false;
  if (!is_on_wall(*newest_)) return true;
  for (Link& link : links_) {
    if (link.counts()) link.sent_frame = newest_->number();
  }
  ledger_.is_on_wall(newest_->number(), clock_.wall_now_ns());
  publish();
  return false;
}

// Unlike newest_is_news(), waits for all rows: a recorder has time.
bool StreamSender::is_news_for(const Link& recorder) const {
  return newest_->has_all_rows() && !(recorder.on_wall && recorder.sent_epoch == map_.epoch &&
                                      recorder.sent_picture == newest_->picture());
}

bool StreamSender::is_on_wall(const EncodedFrame& frame) const {
  return std::all_of(links_.begin(), links_.end(), [&](const Link& link) {
    return !link.counts() ||
           (link.connection->accepted() && link.on_wall && link.sent_epoch == map_.epoch &&
            link.sent_picture == frame.picture());
  });
}

void StreamSender::publish() {
  const FrameLedger::Counters& counters = ledger_.counters();
  submit_queue_.settle(ledger_.told().size(), counters.sent, counters.shown, bytes_sent_);
  for (const FrameFate& fate : ledger_.told()) handlers_.on_fate(fate);
  ledger_.clear_reported();
}

}  // namespace sail
