#include "sail/apps/server/playout/read_order.h"

#include <algorithm>

namespace server {
namespace {

constexpr double kSecond = 1e9;

int64_t lasts_ns(const ReadClaim& claim, size_t bytes) {
  const double rate = claim.bytes_per_s > 0 ? claim.bytes_per_s : ReadClock::kUnknownBytesPerS;
  return static_cast<int64_t>(static_cast<double>(bytes) / rate * kSecond);
}

}  // namespace

// --- ReadClock -----------------------------------------------------------------------------------

void ReadClock::enter(uint64_t stream, const ReadClaim& claim) {
  const std::lock_guard lock(mutex_);
  Stream& one = streams_[stream];
  one.claim = claim;
  ++one.orders;
}

void ReadClock::leave(uint64_t stream) {
  const std::lock_guard lock(mutex_);
  const auto one = streams_.find(stream);
  if (--one->second.orders == 0) streams_.erase(one);
}

void ReadClock::claim(uint64_t stream, const ReadClaim& claim) {
  const std::lock_guard lock(mutex_);
  Stream& one = streams_.at(stream);
  if (one.claim.best_effort != claim.best_effort)
    one.end_ns = 0;  // the old end_ns is on the other clock
  one.claim = claim;
}

// A promised stream that has fallen behind gets no credit: other streams would pay for that.
ReadClock::Span ReadClock::next(Stream& stream, size_t bytes, int64_t now_ns) const {
  const bool goes_on = stream.claim.best_effort && stream.reads > 0;
  const int64_t here_ns = stream.claim.best_effort ? spare_now_ns_ : now_ns;
  const int64_t least_ns = goes_on ? here_ns - kMostBehindNs : here_ns;
  Span span{stream.claim, std::max(stream.end_ns, least_ns), 0};
  span.end_ns = span.start_ns + lasts_ns(stream.claim, bytes);
  stream.end_ns = span.end_ns;
  return span;
}

ReadClock::Span ReadClock::begin(uint64_t stream, size_t bytes, int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  Stream& one = streams_.at(stream);
  const Span span = next(one, bytes, now_ns);
  ++one.reads;
  return span;
}

void ReadClock::end(uint64_t stream) {
  const std::lock_guard lock(mutex_);
  --streams_.at(stream).reads;
}

ReadClock::Span ReadClock::begin_again(uint64_t stream, const Span& span, size_t bytes,
                                       int64_t now_ns) {
  refund(stream, span);
  const std::lock_guard lock(mutex_);
  return next(streams_.at(stream), bytes, now_ns);
}

void ReadClock::refund(uint64_t stream, const Span& span) {
  const std::lock_guard lock(mutex_);
  Stream& one = streams_.at(stream);
  if (one.claim.best_effort == span.claim.best_effort) {
    one.end_ns = std::min(one.end_ns, span.start_ns);
  }
}

void ReadClock::serve(const Span& span) {
  const std::lock_guard lock(mutex_);
  spare_now_ns_ = std::max(spare_now_ns_, span.start_ns);
}

int64_t ReadClock::spare_now_ns() const {
  const std::lock_guard lock(mutex_);
  return spare_now_ns_;
}

// --- ReadOrder -----------------------------------------------------------------------------------

void ReadOrder::claim(uint64_t stream, const ReadClaim& claim, int64_t now_ns) {
  clock_->claim(stream, claim);
  for (const auto& [ticket, before] : of(stream)) {
    if (before.span.claim == claim) continue;
    unplace(ticket, before);
    Waiting& waiting = waiting_.at(ticket);
    waiting.span = clock_->begin_again(stream, before.span, before.bytes, now_ns);
    place(ticket, waiting, now_ns);
  }
}

void ReadOrder::put(uint64_t stream, uint64_t ticket, size_t bytes, int64_t now_ns) {
  Waiting& waiting = waiting_[ticket];
  waiting = {stream, bytes, clock_->begin(stream, bytes, now_ns)};
  place(ticket, waiting, now_ns);
}

std::optional<ReadOrder::Read> ReadOrder::take(int64_t now_ns) {
  while (!early_.empty() && early_.begin()->first <= now_ns) {
    const uint64_t ticket = early_.begin()->second;
    Waiting& waiting = waiting_.at(ticket);
    unplace(ticket, waiting);
    place(ticket, waiting, now_ns);
  }
  for (Queue* queue : {&due_, &spare_, &early_}) {
    if (queue->empty()) continue;
    const uint64_t ticket = queue->begin()->second;
    const Waiting waiting = waiting_.at(ticket);
    unplace(ticket, waiting);
    waiting_.erase(ticket);
    if (queue == &spare_) clock_->serve(waiting.span);
    return Read{waiting.stream, ticket, waiting.bytes, queue == &due_ ? waiting.span.end_ns : 0};
  }
  return std::nullopt;
}

std::vector<std::pair<uint64_t, ReadOrder::Waiting>> ReadOrder::of(uint64_t stream) const {
  std::vector<std::pair<uint64_t, Waiting>> its;
  for (const auto& one : waiting_) {
    if (one.second.stream == stream) its.push_back(one);
  }
  return its;
}

void ReadOrder::place(uint64_t ticket, Waiting& waiting, int64_t now_ns) {
  const auto& [claim, start_ns, end_ns] = waiting.span;
  const bool early = start_ns - kLeadNs > now_ns;
  waiting.queue = claim.best_effort ? &spare_ : early ? &early_ : &due_;
  waiting.key_ns = claim.best_effort ? start_ns : early ? start_ns - kLeadNs : end_ns;
  waiting.queue->emplace(waiting.key_ns, ticket);
}

void ReadOrder::unplace(uint64_t ticket, const Waiting& waiting) {
  waiting.queue->erase({waiting.key_ns, ticket});
}

}  // namespace server
