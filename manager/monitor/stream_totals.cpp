#include "manager/monitor/stream_totals.h"

namespace manager {

void StreamTotals::add(const sail::StreamStats* before, const sail::StreamStats& now) {
  // A stream that replaced another one counts from 0.
  const bool same_stream = before != nullptr && before->frames_submitted <= now.frames_submitted;
  const auto grow = [same_stream](uint64_t& sum, uint64_t was, uint64_t is) {
    sum += same_stream && was <= is ? is - was : is;
  };
  const sail::StreamStats nothing;
  const sail::StreamStats& was = before == nullptr ? nothing : *before;
  grow(sums_.frames_submitted, was.frames_submitted, now.frames_submitted);
  grow(sums_.frames_shown, was.frames_shown, now.frames_shown);
  grow(sums_.frames_skipped, was.frames_skipped, now.frames_skipped);
  grow(sums_.bytes_sent, was.bytes_sent, now.bytes_sent);
  sail::DropCounts& dropped = sums_.dropped;
  grow(dropped.superseded, was.dropped.superseded, now.dropped.superseded);
  grow(dropped.old_epoch, was.dropped.old_epoch, now.dropped.old_epoch);
  grow(dropped.incomplete, was.dropped.incomplete, now.dropped.incomplete);
  grow(dropped.hidden, was.dropped.hidden, now.dropped.hidden);
  grow(dropped.lost, was.dropped.lost, now.dropped.lost);
  grow(dropped.unsent, was.dropped.unsent, now.dropped.unsent);
}

}  // namespace manager
