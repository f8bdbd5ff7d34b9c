#include "tests/e2e/walls/simulated_sender.h"

#include <algorithm>
#include <utility>

#include "sail/core/routing/swap_barrier.h"
#include "sail/core/text/limits.h"
#include "tests/e2e/walls/simulated_wall.h"

namespace test {
namespace {

constexpr int kFramesInFlight = 4;  // the limit of receivers
constexpr int kMostOwedFrames = 4;  // as in StreamSender
constexpr int64_t kOpensNs = 5 * kMs;
constexpr int64_t kPauseNs = 100 * kMs;       // until the next attempt to connect
constexpr int64_t kAsksAgainNs = 1000 * kMs;  // first retransmission of the TCP handshake; doubles
constexpr int64_t kGivenUpNs =
    int64_t{sail::kBarrierTimeoutMs + sail::kStallTimeoutMs} * kMs;  // as in ReceiverConnection
// As in LinkChecks.
constexpr int64_t kWaitingStepNs = 10 * kMs;
constexpr int64_t kWaitingStallNs = 50 * kMs;
constexpr int64_t kExecutePauseNs = 250 * kMs;  // as in StreamSwaps

}  // namespace

Sender::Sender(SimulatedWall& wall, uint32_t stream, bool grouped)
    : to_table(wall.time),
      from_table(wall.time),
      to_manager(wall.time),
      from_manager(wall.time),
      wall_(wall),
      stream_(stream),
      plan_(false, 1e9 / wall.film.fps) {
  plan_.set_grouped(grouped, wall.time.now_ns);
}

// --- frames -------------------------------------------------------------------------------------

void Sender::begin_film() {
  ++last_;
  const double film_ns = static_cast<double>(last_) * 1e9 / wall_.film.fps;
  const int64_t due_ns = 1100 * kMs + static_cast<int64_t>(film_ns);
  // Applications submit a little early or late.
  wall_.time.at(due_ns - wall_.film.ahead_ns + wall_.time.any(0, 2 * kMs), [this, due_ns] {
    presents_[last_] = due_ns;
    if (!process.stopped()) submit();
    if (wall_.moving) begin_film();
  });
}

void Sender::submit() {
  const uint64_t number = last_;
  ++submitted;
  if (in_flight_ >= most_in_flight()) {
    ++refused;
    return;
  }
  ++in_flight_;
  const Frame frame{number, told_epoch_};
  wall_.time.in(wall_.time.any(wall_.film.encode_ns / 3, wall_.film.encode_ns),
                process.with([this, frame] { handle(frame); }));
}

// By the rule of StreamSender.
int Sender::most_in_flight() const {
  bool waits = plan_.catches_up(wall_.time.now_ns);
  for (uint32_t number = 0; number < links_.size(); ++number) {
    const Link& link = links_[number];
    waits |= link.accepted && link.in_map && link.silence.silent() && !plan_.is_left_behind(number);
  }
  return kFramesInFlight - 1 + (waits ? kMostOwedFrames : 0);
}

void Sender::handle(const Frame& frame) {
  if (next_ && frame.wanted_epoch == next_->epoch) {
    follow(*std::exchange(next_, std::nullopt), false);
  }
  newest_ = frame;
  covered_ = true;
  const bool timed = wall_.film.ahead_ns != 0;
  if (timed) plan_.add(frame.number, presents_[frame.number], presents_[frame.number]);
  carry_out_plan();
  ledger_.add(frame.number, wall_.time.now_ns);
  serve_all();
  publish();
}

void Sender::publish() {
  in_flight_ -= static_cast<int>(ledger_.decided().size());
  ledger_.clear_decided();
}

// --- the manager --------------------------------------------------------------------------------

void Sender::route(const sail::Routes& routes) {
  rolled_back_routes_.reset();
  routes_ = routes;
  next_.reset();
  // The stream is shown by the previous map until the layout takes effect.
  if (routes.routes.empty() && epoch_ != 0) return static_cast<void>(next_ = routes);
  told_epoch_ = routes.epoch;
  const bool uncovers = newest_.number != 0 && wall_.time.any(0, 9) < wall_.film.uncovers;
  if (!uncovers) return follow(routes, true);
  next_ = routes;
  // Connects now, so that receivers accept the stream when the frame arrives.
  for (const sail::Route& route : routes.routes) link_to(route);
}

void Sender::follow(const sail::Routes& routes, bool covered) {
  epoch_ = routes.epoch;
  covered_ = covered;
  for (Link& link : links_) link.in_map = false;
  std::vector<uint32_t> members;
  for (const sail::Route& route : routes.routes) {
    members.push_back(link_to(route));
    links_[members.back()].in_map = true;
  }
  if (epoch_ != plan_.epoch()) plan_.route(epoch_, members, routes.group_members);
  for (const uint32_t member : members) {
    if (links_[member].away) plan_.lose(member, wall_.time.now_ns);
  }
  ledger_.route(epoch_, static_cast<uint32_t>(members.size()), covered);
  carry_out_plan();
  serve_all();
  publish();
}

void Sender::take_effect(const sail::TakeEffect& taken) {
  if (next_ && next_->epoch == taken.epoch) follow(*std::exchange(next_, std::nullopt), false);
  plan_.take_effect(taken.epoch, taken.frame, taken.at_ns, wall_.time.now_ns);
  if (plan_.epoch() == routes_.epoch) in_effect_ = routes_;
  if (plan_.epoch() == taken.epoch) send_to_all({taken.frame, taken.epoch, taken.at_ns});
  carry_out_plan();
}

void Sender::send_to_all(const sail::FrameShow& show) {
  for (uint32_t number = 0; number < links_.size(); ++number) tell(number, show);
}

void Sender::go_on_alone() {
  met = false;
  const int64_t at_ns = std::max(wall_.time.now_ns, plan_.last_at_ns());
  if (!plan_.changing() && !next_) return send_to_all({0, plan_.epoch(), at_ns});
  if (plan_.changing()) {
    send_to_all({newest_.number, plan_.coming_epoch(), 0});
    plan_.revert(newest_.number, wall_.time.now_ns);
  }
  next_.reset();
  const sail::Routes forgotten = std::exchange(routes_, in_effect_);
  told_epoch_ = routes_.epoch;
  follow(routes_, true);
  rolled_back_routes_ = forgotten;
  carry_out_plan();
}

const sail::Routes& Sender::resume() {
  met = true;
  rolled_back_routes_.reset();
  return in_effect_;
}

// --- receivers ----------------------------------------------------------------------------------

uint32_t Sender::link_to(const sail::Route& route) {
  const std::pair<size_t, int> at = SimulatedWall::node_at(route.port);
  const auto known = std::ranges::find_if(
      links_, [&](const Link& link) { return std::pair(link.node, link.life) == at; });
  if (known != links_.end()) return static_cast<uint32_t>(known - links_.begin());
  links_.push_back(
      {.node = at.first, .life = at.second, .to = Way(wall_.time), .from = Way(wall_.time)});
  const auto number = static_cast<uint32_t>(links_.size() - 1);
  wall_.time.in(wall_.time.any(kMessageNs, kOpensNs),
                process.with([this, number] { open(number); }));
  return number;
}

void Sender::open(uint32_t number) {
  Link& link = links_[number];
  const SimulatedWall::Node& node = wall_.node(link.node);
  if (node.process.life() != link.life) return close(number);  // nobody listens
  if (!node.receiver->knows(stream_)) {
    wall_.time.in(kMs, process.with([this, number] { open(number); }));
    return;
  }
  link.accepted = true;
  link.away = false;
  link.sent_frame = link.sent_epoch = 0;
  serve_all();
}

void Sender::lose(size_t node, int life) {
  for (uint32_t number = 0; number < links_.size(); ++number) {
    Link& link = links_[number];
    if (link.node == node && link.life == life && link.accepted) close(number);
  }
}

void Sender::close(uint32_t number) {
  links_[number].accepted = links_[number].unreachable = false;
  links_[number].away = true;
  links_[number].counts = {};
  links_[number].silence = {};
  links_[number].unreported_ns.clear();
  ++links_[number].connection;
  ledger_.lost(number);
  plan_.lose(number, wall_.time.now_ns);
  carry_out_plan();
  publish();
}

void Sender::give_up(uint32_t number) {
  close(number);
  wall_.time.in(kPauseNs, [this, number] { connect_again(number, kAsksAgainNs); });
}

// Connects again when the receiver continues, or its cable is plugged in again.
void Sender::connect_again(uint32_t number, int64_t asks_again_ns) {
  if (wall_.node(links_[number].node).cable.stopped()) {
    wall_.time.in(asks_again_ns, [=, this] { connect_again(number, 2 * asks_again_ns); });
    return;
  }
  links_[number].to.send(there(number, [this, number](Receiver& receiver) {
    receiver.forget(stream_);
    links_[number].from.send(process.with([this, number] { open(number); }));
  }));
}

void Sender::serve_all() {
  for (uint32_t number = 0; number < links_.size(); ++number) {
    Link& link = links_[number];
    const bool wanted = link.accepted && link.in_map && newest_.number != 0 && covered_ &&
                        (link.sent_frame != newest_.number || link.sent_epoch < epoch_);
    if (!wanted || link.unreported_ns.size() >= kFramesInFlight) continue;
    if (plan_.is_left_behind(number) && !link.unreported_ns.empty()) continue;
    link.sent_frame = newest_.number;
    link.sent_epoch = epoch_;
    const Key key{newest_.number, epoch_};
    if (link.unreported_ns.empty()) link.reported_ns = wall_.time.now_ns;
    link.unreported_ns[key] = wall_.time.now_ns;
    ledger_.sent(number, newest_.number, epoch_);
    way_to(link).send(
        there(number, [this, key](Receiver& receiver) { receiver.frame(stream_, key); }),
        wall_.film.transfer_ns);
  }
}

void Sender::tell(uint32_t number, const sail::FrameShow& show) {
  if (!links_[number].accepted) return;
  way_to(links_[number]).send(there(number, [this, show](Receiver& receiver) {
    receiver.show(stream_, show);
  }));
}

// Wraps an event at the link's receiver. Nothing happens if the link has another connection by
// then.
std::function<void()> Sender::there(uint32_t number, std::function<void(Receiver&)> happens) {
  SimulatedWall::Node& node = wall_.node(links_[number].node);
  return node.cable.with(node.process.with(
      [this, number, by = links_[number].connection, happens = std::move(happens), &node] {
        if (by == links_[number].connection) happens(*node.receiver);
      }));
}

void Sender::hear(size_t node, int life, std::function<void(uint32_t)> happens) {
  const auto link = std::ranges::find_if(
      links_, [&](const Link& one) { return one.node == node && one.life == life; });
  if (link == links_.end() || !link->accepted) return;
  const auto number = static_cast<uint32_t>(link - links_.begin());
  link->from.send(wall_.node(node).cable.with(
      process.with([this, happens = std::move(happens), number, by = link->connection] {
        if (by == links_[number].connection) happens(number);
      })));
}

void Sender::on_ready(size_t node, int life, const Key& key) {
  hear(node, life, [this, key](uint32_t number) {
    plan_.ready(number, {.frame = key.first, .epoch = key.second}, wall_.time.now_ns);
    carry_out_plan();
  });
}

void Sender::on_report(size_t node, int life, const sail::FrameReport& report) {
  hear(node, life, [this, report](uint32_t number) {
    Link& link = links_[number];
    if (link.unreported_ns.erase({report.frame, report.epoch}) == 0) return;
    link.reported_ns = wall_.time.now_ns;
    ledger_.reported(number, report);
    plan_.reported(number, report, wall_.time.now_ns);
    carry_out_plan();
    serve_all();
    publish();
    const bool overruled =
        report.cause == sail::DropCause::kOldEpoch && report.epoch == plan_.epoch();
    if (overruled && rolled_back_routes_) restore_rolled_back_routes();
  });
}

void Sender::restore_rolled_back_routes() {
  const sail::Routes routes = *std::exchange(rolled_back_routes_, std::nullopt);
  route(routes);
  const int64_t at_ns = std::max(wall_.time.now_ns, plan_.last_at_ns());
  take_effect({.stream = stream_, .epoch = routes.epoch, .frame = 0, .at_ns = at_ns});
}

// --- figures ------------------------------------------------------------------------------------

sail::StreamStats Sender::stats(double seconds) {
  const auto since = static_cast<double>(submitted - std::exchange(submitted_before_, submitted));
  const sail::FrameLedger::Recent recent = ledger_.take_recent();
  sail::StreamStats stats{.stream = stream_,
                          .frames_submitted = submitted,
                          .frames_shown = ledger_.counters().shown,
                          .fps_wanted = wall_.film.fps,
                          .fps_submitted = since / seconds,
                          .fps_encoded = since / seconds,
                          .fps_shown = static_cast<double>(recent.shown) / seconds,
                          .source_ms = 2,
                          .encode_ms = static_cast<double>(wall_.film.encode_ns) / 1e6,
                          .dropped = ledger_.drops(),
                          .links = {}};
  stats.dropped.unsent += refused;
  for (uint32_t number = 0; number < links_.size(); ++number) {
    Link& link = links_[number];
    if (!link.in_map) continue;
    const sail::SwapBarrier::HeldUp held_up = plan_.shown().take_held_up(number);
    sail::LinkStats& result = stats.links.emplace_back();
    result.receiver = wall_.receiver_name(link.node);
    result.held_up_ms = held_up.mean_ms;
    result.left_behind = held_up.left_behind;
    if (!link.unreachable && !link.away) {
      link.trouble_ns = 0;
      continue;
    }
    if (link.trouble_ns == 0) link.trouble_ns = wall_.time.now_ns;
    result.trouble = sail::LinkTrouble::kNoAnswer;
    result.trouble_s = static_cast<double>(wall_.time.now_ns - link.trouble_ns) / 1e9;
  }
  plan_.shown().begin_held_up();
  return stats;
}

// --- the group ----------------------------------------------------------------------------------

void Sender::on_decision(const sail::GroupDecision& decision) {
  if (decision.kind == sail::DecisionKind::kHeartbeat) return;
  plan_.decide(decision.kind, decision.present_ns, decision.at_ns, wall_.time.now_ns);
  carry_out_plan();
}

void Sender::tick() {
  const int64_t since_ns = wall_.time.now_ns - std::exchange(ticked_ns_, wall_.time.now_ns);
  if (since_ns > 400 * kMs) return;
  check_silent();
}

void Sender::check_silent() {
  plan_.tick(wall_.time.now_ns);
  check_unreachable();
  carry_out_plan();
  evaluate_links();
}

// By the rules of LinkChecks.
void Sender::watch_waiting() {
  if (!plan_.waits_since_ns() || std::exchange(watches_, true)) return;
  wall_.time.in(kWaitingStepNs, process.with([this, due_ns = wall_.time.now_ns + kWaitingStepNs] {
    check_waiting(due_ns);
  }));
}

void Sender::check_waiting(int64_t due_ns) {
  watches_ = false;
  const int64_t now_ns = wall_.time.now_ns;
  const bool waits = now_ns - plan_.waits_since_ns().value_or(now_ns) >= kWaitingStepNs / 2;
  const bool stalled = now_ns - due_ns > kWaitingStallNs;
  waits && !stalled ? check_silent() : watch_waiting();
}

Way& Sender::way_to(Link& link) {
  const bool cut = wall_.node(link.node).cable.stopped();
  link.sent_ns = wall_.time.now_ns;
  if (cut) {
    link.counts.unacknowledged = true;
  } else {
    ++link.counts.acknowledged;
  }
  return link.to;
}

// By the rule of StreamSender.
void Sender::check_unreachable() {
  bool any_there = false;
  for (uint32_t number = 0; number < links_.size(); ++number) {
    Link& link = links_[number];
    const SimulatedWall::Node& node = wall_.node(link.node);
    if (!node.cable.stopped()) link.counts.unacknowledged = false;
    link.counts.heard_us_ago = (wall_.time.now_ns - node.pulled_ns) / 1000;
    link.counts.sent_us_ago = (wall_.time.now_ns - link.sent_ns) / 1000;
    link.silence.update(link.counts, wall_.time.now_ns);
    link.unreachable = link.accepted && link.in_map && link.silence.too_long();
    any_there |= link.accepted && link.in_map && !link.unreachable && !plan_.is_left_behind(number);
  }
  for (uint32_t number = 0; number < links_.size(); ++number) {
    if (any_there && links_[number].unreachable) plan_.mark_unreachable(number, wall_.time.now_ns);
  }
}

// By the rules of ReceiverConnection and StreamSender.
void Sender::evaluate_links() {
  for (uint32_t number = 0; number < links_.size(); ++number) {
    const Link& link = links_[number];
    if (!link.accepted || link.unreported_ns.empty()) continue;
    const int64_t owes_ns = wall_.time.now_ns - link.unreported_ns.begin()->second;
    if (link.unreported_ns.size() >= kFramesInFlight - 1 &&
        wall_.time.now_ns - link.reported_ns > kGivenUpNs) {
      give_up(number);
    } else if (plan_.is_left_behind(number) &&
               (link.unreachable || owes_ns >= sail::AdaptiveTimeout::kShortestNs)) {
      ledger_.lost(number);
    }
  }
  serve_all();
  publish();
}

// By the rule of StreamSwaps.
bool Sender::reads_first() {
  const int64_t now_ns = wall_.time.now_ns;
  const bool stalled = now_ns - std::exchange(executed_ns_, now_ns) > kExecutePauseNs;
  if (stalled && !std::exchange(reads_first_, true)) {
    wall_.time.in(kMs, process.with([this] {
      reads_first_ = false;
      plan_.postpone(wall_.time.now_ns);
      carry_out_plan();
    }));
  }
  return reads_first_;
}

void Sender::carry_out_plan() {
  watch_waiting();
  if (reads_first()) return;
  for (const sail::SwapPlan::Show& each : plan_.shows()) {
    for (uint32_t number = 0; number < links_.size(); ++number) {
      if (plan_.is_for(each, number)) tell(number, {each.frame, each.epoch, each.at_ns});
    }
  }
  plan_.clear_shows();
  for (const sail::SwapPlan::Vote& vote : plan_.votes()) {
    const sail::GroupReady ready{vote.name, vote.at_ns,   vote.lead_ns,
                                 vote.vote, vote.members, vote.refresh};
    to_table.send([this, ready] {
      wall_.table.ready(stream_, ready, wall_.now());
      wall_.notify_members();
    });
  }
  plan_.clear_votes();
  if (const auto settled = plan_.take_settled(); settled && met) {
    wall_.notify_manager(to_manager, {.stream = stream_,
                                      .epoch = settled->epoch,
                                      .frame = settled->frame,
                                      .lead_ns = settled->lead_ns});
  }
}

}  // namespace test
