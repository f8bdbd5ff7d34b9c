#include "tests/model/model_sender.h"

#include <algorithm>
#include <utility>

#include "tests/model/model_wall.h"

namespace model {
namespace {

constexpr size_t kFramesInFlight = 4;
constexpr int64_t kSuspendedNs = 400 * kMs;           // as in StreamSender
constexpr int64_t kCoordinatorTimeoutNs = 500 * kMs;  // as in StreamSwaps

}  // namespace

ModelSender::ModelSender(ModelWall& wall, size_t number, bool grouped)
    : wall_(wall), number_(number) {
  plan_.set_grouped(grouped, wall.network().now_ns);
}

// --- time ---------------------------------------------------------------------------------------

void ModelSender::submit(int64_t present_ns) {
  ++newest_;
  if (present_ns != 0) {
    presents_[newest_] = present_ns;
    plan_.add(newest_, present_ns, present_ns);
  }
  carry_out();
  serve();
}

void ModelSender::tick() {
  const int64_t now_ns = wall_.network().now_ns;
  if (coordinator_ && !joined_) connect_coordinator();
  for (Link& link : links_) {
    if (link.away && link.in_map) open(link);
  }
  if (now_ns - std::exchange(ticked_ns_, now_ns) > kSuspendedNs) return;
  plan_.tick(now_ns);
  if (coordinator_ && joined_ && coordinator_answers()) heard_ns_ = now_ns;
  if (coordinator_ && now_ns - heard_ns_ >= kCoordinatorTimeoutNs) plan_.set_grouped(false, now_ns);
  carry_out();
  serve();
}

// --- the manager --------------------------------------------------------------------------------

void ModelSender::route(const sail::Routes& routes) {
  rolled_back_.reset();
  routes_ = routes;
  follow(routes);
}

void ModelSender::follow(const sail::Routes& routes) {
  epoch_ = routes.epoch;
  for (Link& link : links_) link.in_map = false;
  std::vector<uint32_t> members;
  for (const sail::Route& route : routes.routes) {
    members.push_back(link_to(route));
    links_[members.back()].in_map = true;
  }
  if (epoch_ != plan_.epoch()) plan_.route(epoch_, members, routes.group_members);
  for (const uint32_t member : members) {
    if (links_[member].away) plan_.lose(member, wall_.network().now_ns);
  }
  carry_out();
  serve();
}

void ModelSender::take_effect(const sail::TakeEffect& taken) {
  plan_.take_effect(taken.epoch, taken.frame, taken.at_ns, wall_.network().now_ns);
  if (plan_.epoch() == routes_.epoch) in_effect_ = routes_;
  if (plan_.epoch() == taken.epoch) tell_all({taken.frame, taken.epoch, taken.at_ns});
  carry_out();
}

void ModelSender::lose_manager() {
  met = false;
  const int64_t at_ns = std::max(wall_.network().now_ns, plan_.last_at_ns());
  if (!plan_.changing()) return tell_all({0, plan_.epoch(), at_ns});
  tell_all({newest_, plan_.coming_epoch(), 0});
  plan_.revert(newest_, wall_.network().now_ns);
  const sail::Routes forgotten = std::exchange(routes_, in_effect_);
  follow(routes_);
  rolled_back_ = forgotten;
  carry_out();
}

const sail::Routes& ModelSender::resume() {
  met = true;
  rolled_back_.reset();
  return in_effect_;
}

void ModelSender::restore_rolled_back() {
  const sail::Routes routes = *std::exchange(rolled_back_, std::nullopt);
  route(routes);
  const int64_t at_ns = std::max(wall_.network().now_ns, plan_.last_at_ns());
  take_effect({.stream = stream(), .epoch = routes.epoch, .frame = 0, .at_ns = at_ns});
}

// --- receivers ----------------------------------------------------------------------------------

uint32_t ModelSender::link_to(const sail::Route& route) {
  const auto [node, life] = node_at(route.port);
  const auto known = std::ranges::find_if(links_, [to = node, at = life](const Link& link) {
    return link.node == to && link.life == at;
  });
  if (known != links_.end()) return static_cast<uint32_t>(known - links_.begin());
  links_.push_back({.node = node, .life = life, .away = true});
  open(links_.back());
  return static_cast<uint32_t>(links_.size() - 1);
}

void ModelSender::open(Link& link) {
  const size_t line = wall_.stream_line(number_, link.node);
  const Process& receiver = wall_.node(link.node).process;
  if (!receiver.up || receiver.life != link.life || wall_.network().line(line).open) return;
  link.away = false;
  wall_.network().open(line);
  wall_.network().send(line, "connects",
                       [this, node = link.node] { wall_.node(node).receiver->open(stream()); });
}

ModelSender::Link* ModelSender::find(size_t node, int life) {
  const auto link = std::ranges::find_if(
      links_, [&](const Link& one) { return one.node == node && one.life == life; });
  return link == links_.end() ? nullptr : &*link;
}

void ModelSender::accepted(size_t node, int life) {
  Link* link = find(node, life);
  if (link == nullptr || link->away) return;
  link->accepted = true;
  link->sent = {};
  serve();
}

void ModelSender::lose(size_t node, int life) {
  Link* link = find(node, life);
  if (link == nullptr || link->away) return;
  link->accepted = false;
  link->away = true;
  link->unreported.clear();
  plan_.lose(static_cast<uint32_t>(link - links_.data()), wall_.network().now_ns);
  carry_out();
}

void ModelSender::serve() {
  for (uint32_t number = 0; number < links_.size(); ++number) {
    Link& link = links_[number];
    const bool wanted = link.accepted && link.in_map && newest_ != 0 &&
                        (link.sent.number != newest_ || link.sent.epoch < epoch_);
    if (!wanted || link.unreported.size() >= kFramesInFlight) continue;
    if (plan_.is_left_behind(number) && !link.unreported.empty()) continue;
    const receiver::FrameKey key{epoch_, newest_};
    link.sent = key;
    link.unreported.insert(key);
    wall_.network().send(
        wall_.stream_line(number_, link.node), "frame",
        [this, key, node = link.node] { wall_.node(node).receiver->frame(stream(), key); },
        key.number, key.epoch);
  }
}

void ModelSender::tell(Link& link, const sail::FrameShow& show) {
  if (!link.accepted) return;
  wall_.network().send(
      wall_.stream_line(number_, link.node), show.at_ns == 0 ? "drop" : "show",
      [this, show, node = link.node] { wall_.node(node).receiver->show(stream(), show); },
      show.frame, show.epoch);
}

void ModelSender::tell_all(const sail::FrameShow& show) {
  for (Link& link : links_) tell(link, show);
}

void ModelSender::ready(size_t node, int life, const receiver::FrameKey& key) {
  Link* link = find(node, life);
  if (link == nullptr || link->away) return;
  plan_.ready(static_cast<uint32_t>(link - links_.data()),
              {.frame = key.number, .epoch = key.epoch}, wall_.network().now_ns);
  carry_out();
}

void ModelSender::reported(size_t node, int life, const sail::FrameReport& report) {
  Link* link = find(node, life);
  if (link == nullptr || link->unreported.erase({report.epoch, report.frame}) == 0) return;
  plan_.reported(static_cast<uint32_t>(link - links_.data()), report, wall_.network().now_ns);
  carry_out();
  serve();
  const bool overruled =
      report.cause == sail::DropCause::kOldEpoch && report.epoch == plan_.epoch();
  if (overruled && rolled_back_) restore_rolled_back();
}

std::optional<uint32_t> ModelSender::link_of(size_t node) const {
  for (uint32_t number = 0; number < links_.size(); ++number) {
    const Link& link = links_[number];
    if (link.node == node && link.life == wall_.node(node).process.life) return number;
  }
  return std::nullopt;
}

bool ModelSender::is_in_effect(size_t node) const {
  return std::ranges::any_of(in_effect_.routes, [&](const sail::Route& route) {
    return node_at(route.port) == std::pair(node, wall_.node(node).process.life);
  });
}

bool ModelSender::is_cut_from(size_t node) const {
  const auto number = link_of(node);
  return !number || !links_[*number].accepted || !is_in_effect(node);
}

// If no other receiver is reachable, this machine is cut off.
bool ModelSender::may_suspect(size_t node) const {
  bool other = false;
  for (uint32_t number = 0; number < links_.size(); ++number) {
    const Link& link = links_[number];
    other |= link.node != node && link.accepted && link.in_map && !plan_.is_left_behind(number);
  }
  const auto number = link_of(node);
  return other && number && links_[*number].accepted && links_[*number].in_map &&
         !plan_.is_left_behind(*number) && plan_.waits_since_ns();
}

void ModelSender::suspect(size_t node) {
  plan_.mark_unreachable(*link_of(node), wall_.network().now_ns);
  carry_out();
  serve();
}

bool ModelSender::leaves_behind(size_t node) const {
  const auto number = link_of(node);
  return number && plan_.is_left_behind(*number);
}

// --- the group ----------------------------------------------------------------------------------

void ModelSender::join_group(size_t node, uint64_t secret) {
  coordinator_ = node;
  secret_ = secret;
  joined_ = false;
  heard_ns_ = wall_.network().now_ns;
  plan_.set_grouped(true, heard_ns_);
  connect_coordinator();
  carry_out();
}

void ModelSender::connect_coordinator() {
  const size_t line = wall_.group_line(number_, *coordinator_);
  if (!wall_.node(*coordinator_).process.up) return;
  if (!wall_.network().line(line).open) wall_.network().open(line);
  joined_ = true;
  wall_.network().send(line, "joins the group", [this, node = *coordinator_, secret = secret_] {
    wall_.node(node).group.join(number_, secret);
  });
}

bool ModelSender::coordinator_answers() const {
  const ModelNode& node = wall_.node(*coordinator_);
  return node.process.runs() && node.group.answers(number_);
}

void ModelSender::lose_coordinator() {
  joined_ = false;
}

void ModelSender::decided(const sail::GroupDecision& decision) {
  const int64_t now_ns = wall_.network().now_ns;
  heard_ns_ = now_ns;
  if (decision.kind == sail::DecisionKind::kJoined) {
    plan_.set_grouped(true, now_ns);
    plan_.resend();
  } else if (decision.kind != sail::DecisionKind::kHeartbeat) {
    plan_.decide(decision.kind, decision.present_ns, decision.at_ns, now_ns);
  }
  carry_out();
}

// ------------------------------------------------------------------------------------------------

// Whether a receiver that counts has not reported the last frame of the map in effect.
bool ModelSender::awaits_reports() {
  for (uint32_t number = 0; number < links_.size(); ++number) {
    const Link& link = links_[number];
    if (link.released.epoch == plan_.epoch() && link.unreported.contains(link.released) &&
        !plan_.shown().left_behind(number)) {
      return true;
    }
  }
  return false;
}

void ModelSender::carry_out() {
  for (const sail::SwapPlan::Show& show : plan_.shows()) {
    for (uint32_t number = 0; number < links_.size(); ++number) {
      if (!plan_.is_for(show, number)) continue;
      if (show.at_ns != 0) links_[number].released = {show.epoch, show.frame};
      tell(links_[number], {show.frame, show.epoch, show.at_ns});
    }
  }
  plan_.clear_shows();
  for (const sail::SwapPlan::Vote& vote : plan_.votes()) {
    if (!coordinator_ || !joined_) continue;
    const sail::GroupReady ready{vote.name, vote.at_ns,   vote.lead_ns,
                                 vote.vote, vote.members, vote.refresh};
    wall_.network().send(
        wall_.group_line(number_, *coordinator_), "vote",
        [this, ready, node = *coordinator_] { wall_.node(node).group.vote(number_, ready); },
        static_cast<uint64_t>(vote.name / kMs), static_cast<uint64_t>(vote.vote));
  }
  plan_.clear_votes();
  const auto settled = plan_.take_settled();
  if (!settled || !met) return;
  hurried_ = hurried_ || (settled->epoch == plan_.coming_epoch() && awaits_reports());
  const sail::EpochReady ready{.stream = stream(),
                               .epoch = settled->epoch,
                               .frame = settled->frame,
                               .lead_ns = settled->lead_ns};
  wall_.network().send(
      Network::back(wall_.sender_line(number_)), "layout ready",
      [this, ready] { wall_.manager().ready(ready); }, ready.frame, ready.epoch);
}

}  // namespace model
