#include "sail/client/sender/stream_links.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Frames in flight until a receiver has announced its limit.
constexpr int kDefaultFramesInFlight = 4;

}  // namespace

StreamLinks::StreamLinks(Loop& loop, ReceiverConnection::Host& host, const WallClock& clock,
                         const Log& log, int max_reduction)
    : loop_(loop), host_(host), clock_(clock), log_(log), max_reduction_(max_reduction) {}

void StreamLinks::open(uint32_t stream, const StreamOpen& open) {
  stream_ = stream;
  open_ = open;
}

StreamLink& StreamLinks::of(const ReceiverConnection& connection) {
  return *std::ranges::find_if(
      links_, [&](const StreamLink& link) { return link.connection.get() == &connection; });
}

StreamLink& StreamLinks::to(const ReceiverPlan& plan) {
  const auto known =
      std::ranges::find_if(links_, [&](const StreamLink& link) { return link.leads_to(plan); });
  if (known != links_.end()) return *known;
  // If a receiver returns at another address, users must learn that its trouble is over.
  const bool reported = std::ranges::any_of(links_, [&](const StreamLink& link) {
    return link.trouble_reported && link.connection->receiver() == plan.receiver();
  });
  StreamOpen open = open_;
  if (plan.recorder() != 0) open.secret = plan.recorder();
  links_.push_back({.connection = std::make_unique<ReceiverConnection>(
                        loop_, host_, clock_, log_, next_number_++, plan.receiver(), plan.address(),
                        stream_, open),
                    .plan = {},
                    .step = PictureStep(max_reduction_),
                    .trouble_reported = reported,
                    .left_at_ns = steady_now_ns(),
                    .recorder = plan.recorder() != 0});
  if (links_.back().recorder) links_.back().pace.emplace(0, -1);
  return links_.back();
}

// --- the map ------------------------------------------------------------------------------------

void StreamLinks::prepare(const RoutePlan& map) {
  for (const auto& plan : map.receivers) to(*plan);
}

std::vector<uint32_t> StreamLinks::follow(const RoutePlan& map) {
  for (StreamLink& link : links_) {
    if (link.plan != nullptr) link.left_at_ns = steady_now_ns();
    link.plan = nullptr;
  }
  std::vector<uint32_t> members;
  for (const auto& plan : map.receivers) {
    StreamLink& link = to(*plan);
    link.plan = plan;
    if (!link.recorder) members.push_back(link.number());
  }
  return members;
}

void StreamLinks::follow_sizes(const RoutePlan& map) {
  for (StreamLink& link : links_) {
    if (link.plan == nullptr) continue;
    link.plan = *std::ranges::find_if(map.receivers, [&](const auto& plan) {
      return plan->receiver() == link.connection->receiver();
    });
    link.on_wall = false;
  }
}

ExtraReductions StreamLinks::extra_reductions() const {
  ExtraReductions extra;
  for (const StreamLink& link : links_) {
    if (link.plan != nullptr) extra[link.connection->receiver()] = link.step.steps();
  }
  return extra;
}

bool StreamLinks::all_accept() const {
  return std::ranges::all_of(links_, [](const StreamLink& link) {
    return !link.is_awaited() || link.connection->accepted();
  });
}

// --- all links together -------------------------------------------------------------------------

void StreamLinks::show(const FrameShow& show) const {
  for (const StreamLink& link : links_) {
    if (!link.recorder && link.connection->accepted()) link.connection->show(show);
  }
}

int StreamLinks::limit_frames(const StreamPace& pace, int more) {
  // Reserve one place, so that a layout change need not wait for reports.
  const int of_pace = pace.frames_in_flight() + 1;
  int limit = kDefaultFramesInFlight;
  bool first = true;
  for (const StreamLink& link : links_) {
    const int of_recorder = link.pace ? link.pace->frames_in_flight() + 1 : 0;
    link.connection->set_limit(std::max(of_pace, of_recorder) + more);
    if (!link.is_active()) continue;
    const int accepted = std::min(link.connection->frames_in_flight(), of_pace);
    limit = first ? accepted : std::min(limit, accepted);
    first = false;
  }
  return std::max(limit - 1, 1) + more;
}

void StreamLinks::adapt_recorders(uint64_t frame, int64_t submitted_ns, int64_t now_ns) {
  for (StreamLink& link : links_) {
    if (!link.pace) continue;
    link.pace->add_frame(frame, submitted_ns);
    link.pace->adapt(now_ns,
                     link.connection->accepted() ? link.connection->path_delays() : std::nullopt);
  }
}

std::optional<FrameTransport::PathDelays> StreamLinks::slowest_path() const {
  std::optional<FrameTransport::PathDelays> slowest;
  for (const StreamLink& link : links_) {
    if (!link.is_active()) continue;
    const auto delays = link.connection->path_delays();
    if (!delays) continue;
    if (!slowest) slowest.emplace();
    slowest->round_trip_ns = std::max(slowest->round_trip_ns, delays->round_trip_ns);
    slowest->jitter_ns = std::max(slowest->jitter_ns, delays->jitter_ns);
    slowest->sending_ns = std::max(slowest->sending_ns, delays->sending_ns);
    slowest->trouble_ns = std::max(slowest->trouble_ns, delays->trouble_ns);
    slowest->begun_ns = std::max(slowest->begun_ns, delays->begun_ns);
  }
  return slowest;
}

bool StreamLinks::take_lost(uint64_t frame) {
  bool lost = false;
  for (StreamLink& link : links_) {
    const bool of_frame = link.plan != nullptr && link.sent_frame == frame;
    if (std::exchange(link.lost, false) && of_frame) lost = true;
  }
  return lost;
}

bool StreamLinks::is_undecoded(uint64_t frame) const {
  return std::ranges::any_of(links_, [frame](const StreamLink& link) {
    return link.plan != nullptr && link.sent_frame == frame && link.undecoded;
  });
}

// --- the end ------------------------------------------------------------------------------------

void StreamLinks::remove(const ReceiverConnection& connection) {
  std::erase_if(links_,
                [&](const StreamLink& link) { return link.connection.get() == &connection; });
  notify_if_empty();
}

void StreamLinks::remove_gone() {
  std::erase_if(links_, [](const StreamLink& link) { return link.connection->released(); });
}

void StreamLinks::notify_when_empty(std::function<void()> on_gone) {
  on_gone_ = std::move(on_gone);
  notify_if_empty();
}

void StreamLinks::notify_if_empty() {
  if (links_.empty() && on_gone_) loop_.post(std::exchange(on_gone_, nullptr));
}

}  // namespace sail
