#include "sail/server/read_order.h"

#include <algorithm>

namespace server {
namespace {

constexpr double kSecond = 1e9;

}  // namespace

void ReadOrder::enter(uint64_t stream, const ReadClaim& claim) {
  streams_[stream].claim = claim;
}

void ReadOrder::claim(uint64_t stream, const ReadClaim& claim, int64_t now_ns) {
  Stream& one = streams_.at(stream);
  if (one.claim == claim) return;
  unplace(stream, one);
  if (one.claim.best_effort != claim.best_effort) one.end_ns = 0;  // of another clock
  one.claim = claim;
  place(stream, one, now_ns);
}

void ReadOrder::put(uint64_t stream, uint64_t ticket, size_t bytes, int64_t now_ns) {
  Stream& one = streams_.at(stream);
  one.waiting.emplace_back(ticket, bytes);
  ++waiting_;
  if (one.waiting.size() == 1) place(stream, one, now_ns);
}

std::optional<ReadOrder::Read> ReadOrder::take(int64_t now_ns) {
  while (!early_.empty() && early_.begin()->first <= now_ns) {
    const uint64_t number = early_.begin()->second;
    Stream& stream = streams_.at(number);
    unplace(number, stream);
    place(number, stream, now_ns);
  }
  for (Queue* queue : {&due_, &spare_, &early_}) {
    if (queue->empty()) continue;
    const uint64_t number = queue->begin()->second;
    Stream& stream = streams_.at(number);
    unplace(number, stream);
    const auto [ticket, bytes] = stream.waiting.front();
    stream.waiting.pop_front();
    --waiting_;
    stream.end_ns = stream.start_ns + lasts_ns(stream, bytes);
    if (queue == &spare_) spare_now_ns_ = stream.start_ns;
    place(number, stream, now_ns);
    return Read{number, ticket, bytes, queue == &due_ ? stream.end_ns : 0};
  }
  return std::nullopt;
}

int64_t ReadOrder::lasts_ns(const Stream& stream, size_t bytes) {
  const double rate = stream.claim.bytes_per_s > 0 ? stream.claim.bytes_per_s : kUnknownBytesPerS;
  return static_cast<int64_t>(static_cast<double>(bytes) / rate * kSecond);
}

// A stream that has fallen behind gets no more for that later: others would pay.
void ReadOrder::place(uint64_t number, Stream& stream, int64_t now_ns) {
  if (stream.waiting.empty()) return;
  if (stream.claim.best_effort) {
    stream.start_ns = std::max(stream.end_ns, spare_now_ns_);
    put_in(spare_, stream.start_ns, number, stream);
    return;
  }
  stream.start_ns = std::max(stream.end_ns, now_ns);
  const int64_t early_until_ns = stream.start_ns - kLeadNs;
  if (early_until_ns > now_ns) {
    put_in(early_, early_until_ns, number, stream);
  } else {
    put_in(due_, stream.start_ns + lasts_ns(stream, stream.waiting.front().second), number, stream);
  }
}

void ReadOrder::put_in(Queue& queue, int64_t key_ns, uint64_t number, Stream& stream) {
  queue.emplace(key_ns, number);
  stream.queue = &queue;
  stream.key_ns = key_ns;
}

void ReadOrder::unplace(uint64_t number, Stream& stream) {
  if (stream.queue == nullptr) return;
  stream.queue->erase({stream.key_ns, number});
  stream.queue = nullptr;
}

}  // namespace server
