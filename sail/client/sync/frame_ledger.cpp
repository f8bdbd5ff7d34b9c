#include "sail/client/sync/frame_ledger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sail {
namespace {

// Limit of frames sampled between two take_recent() calls: more than a display swaps in a second.
constexpr size_t kMaxSamples = 1024;

constexpr uint32_t bit_of(DropCause cause) {
  return uint32_t{1} << static_cast<unsigned>(cause);
}

// Nearest-rank percentile. Reorders `values`, which must not be empty.
double percentile(std::vector<double>& values, double share) {
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  const auto at = values.begin() + static_cast<ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

FrameLedger::FrameLedger() {
  recent_.reserve(kMaxSamples);
  decided_.reserve(kMaxFramesInFlight);
}

void FrameLedger::add(uint64_t frame, int64_t submitted_ns) {
  newest_ = frame;
  Record& record = make_record(frame, submitted_ns);
  if (routed_) record.maps.push_back(map_);
  resolve();
}

void FrameLedger::route(uint64_t epoch, uint32_t receivers, bool newest_goes) {
  map_ = {epoch, receivers};
  routed_ = true;
  Record* record = find(newest_);
  if (record != nullptr && !record->decided) {
    forget_impossible_maps(*record);
    record->goes = newest_goes;
    if (newest_goes) record->maps.push_back(map_);
  }
  resolve();
}

// Bounds the record of a frame that stays the newest while the layout changes many times.
void FrameLedger::forget_impossible_maps(Record& record) {
  const auto impossible = [&](const Map& map) {
    bool sent = false;
    for (const Sending& sending : record.sendings) {
      if (sending.epoch != map.epoch) continue;
      if (sending.reported && !sending.shown) return true;
      sent = true;
    }
    return !sent;
  };
  std::erase_if(record.maps, impossible);
  std::erase_if(record.sendings, [&](const Sending& sending) {
    return sending.reported &&
           std::none_of(record.maps.begin(), record.maps.end(),
                        [&](const Map& map) { return map.epoch == sending.epoch; });
  });
}

void FrameLedger::abandon() {
  routed_ = false;
  for (Record& record : records_) {
    for (Sending& sending : record.sendings) sending.reported = true;
  }
  resolve();
}

void FrameLedger::sent(uint32_t receiver, uint64_t frame, uint64_t epoch) {
  if (frame > last_sent_) {
    last_sent_ = frame;
    ++counters_.sent;
  }
  Record* record = find(frame);
  if (record == nullptr) {  // reported long ago, and sent again
    record = &make_record(frame, 0);
    record->decided = true;
  }
  record->sendings.push_back({.receiver = receiver, .epoch = epoch});
  const auto receivers =
      std::count_if(record->sendings.begin(), record->sendings.end(), [&](const Sending& sending) {
        return sending.epoch == epoch && (sending.shown || !sending.reported);
      });
  record->receivers = std::max(record->receivers, static_cast<uint32_t>(receivers));
}

void FrameLedger::already_shown(uint64_t frame, int64_t now_ns) {
  Record* record = find(frame);
  if (record == nullptr || record->decided) return;
  decide(*record, {.number = frame,
                   .shown = true,
                   .receivers = map_.receivers,
                   .submitted_ns = record->submitted_ns,
                   .first_swapped_ns = now_ns,
                   .last_swapped_ns = now_ns});
  resolve();
}

void FrameLedger::reported(uint32_t receiver, const FrameReport& report) {
  Record* record = find(report.frame);
  if (record == nullptr) return;
  const auto sending =
      std::find_if(record->sendings.begin(), record->sendings.end(), [&](const Sending& candidate) {
        return candidate.receiver == receiver && candidate.epoch == report.epoch &&
               !candidate.reported;
      });
  if (sending == record->sendings.end()) return;
  sending->reported = true;
  sending->shown = report.outcome == FrameOutcome::kShown;
  sending->swapped_ns = report.swapped_ns;
  if (!sending->shown) record->causes |= bit_of(report.cause);
  resolve();
}

void FrameLedger::lost(uint32_t receiver) {
  for (Record& record : records_) {
    for (Sending& sending : record.sendings) {
      if (sending.receiver == receiver) sending.reported = true;
    }
  }
  resolve();
}

FrameLedger::Record& FrameLedger::make_record(uint64_t frame, int64_t submitted_ns) {
  if (spare_.empty()) {
    records_.emplace_back();
  } else {
    records_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  Record& record = records_.back();
  record.number = frame;
  record.submitted_ns = submitted_ns;
  record.decided = false;
  record.goes = true;
  record.causes = 0;
  record.receivers = 0;
  record.maps.clear();
  record.sendings.clear();
  return record;
}

FrameLedger::Record* FrameLedger::find(uint64_t frame) {
  const auto it = std::find_if(records_.begin(), records_.end(),
                               [&](const Record& record) { return record.number == frame; });
  return it == records_.end() ? nullptr : &*it;
}

void FrameLedger::resolve() {
  const auto done = std::stable_partition(records_.begin(), records_.end(),
                                          [this](Record& record) { return !resolve(record); });
  std::move(done, records_.end(), std::back_inserter(spare_));
  records_.erase(done, records_.end());
}

// Returns true when the record is no longer needed.
bool FrameLedger::resolve(Record& record) {
  for (const Map& map : record.maps) {
    if (const auto fate = shown_by(record, map)) {
      decide(record, *fate);
      break;
    }
  }
  const bool all_reported = std::all_of(record.sendings.begin(), record.sendings.end(),
                                        [](const Sending& sending) { return sending.reported; });
  if (all_reported && !record.decided && !waits_for_sending(record)) {
    decide(record, {.number = record.number,
                    .receivers = record.receivers,
                    .submitted_ns = record.submitted_ns});
  }
  if (!record.decided) return false;
  record.maps.clear();
  std::erase_if(record.sendings, [](const Sending& sending) { return sending.reported; });
  return all_reported && record.number != newest_;
}

// Returns the fate if all receivers of the map have shown the frame.
std::optional<FrameFate> FrameLedger::shown_by(const Record& record, const Map& map) const {
  FrameFate fate{.number = record.number,
                 .shown = true,
                 .receivers = record.receivers,
                 .submitted_ns = record.submitted_ns};
  uint32_t shown = 0;
  for (const Sending& sending : record.sendings) {
    if (sending.epoch != map.epoch || !sending.shown) continue;
    const int64_t at_ns = sending.swapped_ns;
    fate.first_swapped_ns = shown == 0 ? at_ns : std::min(fate.first_swapped_ns, at_ns);
    fate.last_swapped_ns = shown == 0 ? at_ns : std::max(fate.last_swapped_ns, at_ns);
    ++shown;
  }
  if (map.receivers == 0 || shown != map.receivers) return std::nullopt;
  return fate;
}

// The newest frame is still sent to receivers of the map as soon as one of them accepts frames.
bool FrameLedger::waits_for_sending(const Record& record) const {
  if (!routed_ || record.number != newest_ || !record.goes || map_.receivers == 0) return false;
  return std::none_of(record.sendings.begin(), record.sendings.end(),
                      [this](const Sending& sending) { return sending.epoch == map_.epoch; });
}

void FrameLedger::decide(Record& record, const FrameFate& fate) {
  record.decided = true;
  decided_.push_back(fate);
  ++(fate.shown ? counters_.shown : counters_.dropped);
  if (!fate.shown) ++drops_like(record);
  if (!fate.shown || recent_.size() == kMaxSamples) return;
  const auto submitted_ns = static_cast<double>(fate.submitted_ns);
  const auto first_ns = static_cast<double>(fate.first_swapped_ns);
  const auto last_ns = static_cast<double>(fate.last_swapped_ns);
  recent_.push_back({std::max(last_ns - submitted_ns, 0.0) / 1e6, (last_ns - first_ns) / 1e3});
}

// When one receiver lost a frame or was never sent it, the others report it superseded. That is a
// consequence and not the cause.
uint64_t& FrameLedger::drops_like(const Record& record) {
  const auto reported = [&](DropCause cause) { return (record.causes & bit_of(cause)) != 0; };
  if (reported(DropCause::kLost)) return drops_.lost;
  if (reported(DropCause::kIncomplete) || reported(DropCause::kUndecoded)) {
    return drops_.incomplete;
  }
  if (reported(DropCause::kFrozen)) return drops_.frozen;
  if (reported(DropCause::kOldEpoch)) return drops_.old_epoch;
  if (reported(DropCause::kHidden)) return drops_.hidden;
  if (routed_ && map_.receivers == 0) return drops_.hidden;
  if (reported(DropCause::kSuperseded) && record.receivers >= map_.receivers) {
    return drops_.superseded;
  }
  return drops_.unsent;
}

FrameLedger::Recent FrameLedger::take_recent() {
  Recent recent{.shown = recent_.size()};
  if (recent_.empty()) return recent;
  std::vector<double> values(recent_.size());
  std::transform(recent_.begin(), recent_.end(), values.begin(),
                 [](const Sample& sample) { return sample.latency_ms; });
  recent.latency_ms_p50 = percentile(values, 0.5);
  recent.latency_ms_p99 = percentile(values, 0.99);
  std::transform(recent_.begin(), recent_.end(), values.begin(),
                 [](const Sample& sample) { return sample.skew_us; });
  recent.skew_us_p50 = percentile(values, 0.5);
  recent.skew_us_p99 = percentile(values, 0.99);
  recent_.clear();
  return recent;
}

}  // namespace sail
