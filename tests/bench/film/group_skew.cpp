#include "tests/bench/film/group_skew.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "sail/core/wire/trace_answers.h"

namespace bench {
namespace {

using Swaps = std::vector<int64_t>;  // wall time

sail::Result<void> add_swaps(sail::RpcClient& client, const sail::Json& process,
                             std::map<uint32_t, Swaps>& by_stream) {
  for (sail::Json from = 0; !from.is_null();) {
    const auto answer = client.call("trace_read", {{"process", process}, {"from", from}});
    if (!answer) return answer.error();
    const auto stamps = sail::trace_part(*answer);
    if (!stamps) return stamps.error();
    for (const sail::TraceStamp& stamp : *stamps) {
      if (stamp.stage == sail::TraceStage::kSwap) by_stream[stamp.stream].push_back(stamp.end_ns);
    }
    from = answer->value("next", sail::Json());
  }
  return {};
}

// The swap nearest to this time.
int64_t nearest(const Swaps& swaps, int64_t at_ns) {
  const auto after = std::ranges::lower_bound(swaps, at_ns);
  if (after == swaps.begin()) return *after;
  if (after == swaps.end()) return swaps.back();
  return *after - at_ns < at_ns - *std::prev(after) ? *after : *std::prev(after);
}

}  // namespace

sail::Result<sail::Json> begin_group_skew(sail::RpcClient& client, double seconds) {
  auto begun = client.call("trace", {{"seconds", std::min(seconds, kLongestSkewTraceS)}});
  if (!begun) return begun.error();
  return (*begun)["processes"];
}

sail::Result<double> read_group_skew(sail::RpcClient& client, const sail::Json& traced,
                                     double fps) {
  std::map<uint32_t, Swaps> by_stream;
  for (const sail::Json& process : traced) {
    if (process.value("role", "") != "receiver") continue;
    if (auto added = add_swaps(client, process["process"], by_stream); !added) return added.error();
  }
  if (by_stream.empty()) return sail::fail(sail::ErrorCode::kUnavailable, "nothing was swapped");
  for (auto& [stream, swaps] : by_stream) std::ranges::sort(swaps);
  std::vector<double> skews_us;
  for (const int64_t at_ns : by_stream.begin()->second) {
    int64_t first_ns = at_ns;
    int64_t last_ns = at_ns;
    for (const auto& [stream, swaps] : by_stream) {
      const int64_t swap_ns = nearest(swaps, at_ns);
      first_ns = std::min(first_ns, swap_ns);
      last_ns = std::max(last_ns, swap_ns);
    }
    const auto skew_ns = static_cast<double>(last_ns - first_ns);
    if (skew_ns < 0.5e9 / fps) skews_us.push_back(skew_ns / 1e3);
  }
  if (skews_us.empty()) return sail::fail(sail::ErrorCode::kUnavailable, "no instant is of all");
  const auto place = skews_us.begin() + static_cast<ptrdiff_t>(skews_us.size() * 99 / 100);
  std::ranges::nth_element(skews_us, place);
  return *place;
}

}  // namespace bench
