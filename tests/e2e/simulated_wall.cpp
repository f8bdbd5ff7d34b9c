#include "tests/e2e/simulated_wall.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "sail/wire/limits.h"

namespace test {
namespace {

constexpr int kFramesInFlight = 4;  // as receivers take them
constexpr int64_t kGivenUpNs =
    int64_t{sail::kBarrierTimeoutMs + sail::kStallTimeoutMs} * kMs;  // by ReceiverConnection
constexpr const char* kReceivers[] = {"left", "right"};

}  // namespace

// --- a sender -----------------------------------------------------------------------------------

Sender::Sender(SimulatedWall& wall, uint32_t stream, bool grouped)
    : to_table(wall.time),
      from_table(wall.time),
      to_manager(wall.time),
      from_manager(wall.time),
      wall_(wall),
      stream_(stream),
      plan_(false, 1e9 / wall.film.fps),
      links_(std::size(kReceivers), Link{.to = Way(wall.time), .from = Way(wall.time)}) {
  plan_.set_grouped(grouped, wall.time.now_ns);
}

void Sender::begin_film() {
  ++last_;
  const double film_ns = static_cast<double>(last_) * 1e9 / wall_.film.fps;
  const int64_t due_ns = 1100 * kMs + static_cast<int64_t>(film_ns);
  // Applications are a little early or late.
  wall_.time.at(due_ns - wall_.film.ahead_ns + wall_.time.any(0, 2 * kMs), [this, due_ns] {
    presents_[last_] = due_ns;
    submit();
    if (wall_.moving) begin_film();
  });
}

void Sender::submit() {
  const uint64_t number = last_;
  ++submitted;
  if (in_flight_ >= kFramesInFlight - 1) {
    ++refused;
    return;
  }
  ++in_flight_;
  const Frame frame{number, told_epoch_};
  wall_.time.at(wall_.time.now_ns + wall_.time.any(wall_.film.encode_ns / 3, wall_.film.encode_ns),
                [this, frame] { handle(frame); });
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

void Sender::route(const sail::Routes& routes) {
  told_epoch_ = routes.epoch;
  const bool uncovers = newest_.number != 0 && wall_.time.any(0, 9) < wall_.film.uncovers;
  next_.reset();
  if (!uncovers) return follow(routes, true);
  next_ = routes;
}

void Sender::follow(const sail::Routes& routes, bool covered) {
  epoch_ = routes.epoch;
  covered_ = covered;
  std::vector<uint32_t> members;
  for (size_t i = 0; i < links_.size(); ++i) {
    links_[i].in_map = std::ranges::any_of(
        routes.routes, [&](const sail::Route& route) { return route.receiver == kReceivers[i]; });
    if (links_[i].in_map) members.push_back(static_cast<uint32_t>(i));
  }
  plan_.route(epoch_, members, routes.group_members);
  ledger_.route(epoch_, static_cast<uint32_t>(members.size()), covered);
  carry_out_plan();
  serve_all();
  publish();
}

void Sender::take_effect(const sail::TakeEffect& taken) {
  if (next_ && next_->epoch == taken.epoch) follow(*std::exchange(next_, std::nullopt), false);
  plan_.take_effect(taken.epoch, taken.frame, taken.at_ns, wall_.time.now_ns);
  carry_out_plan();
}

void Sender::serve_all() {
  for (size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    const bool wanted = link.in_map && link.connected && newest_.number != 0 && covered_ &&
                        (link.sent_frame != newest_.number || link.sent_epoch < epoch_);
    if (!wanted || link.unreported_ns.size() >= kFramesInFlight) continue;
    if (is_passed_over(i) && !link.unreported_ns.empty()) continue;
    link.sent_frame = newest_.number;
    link.sent_epoch = epoch_;
    if (link.unreported_ns.empty()) link.reported_ns = wall_.time.now_ns;
    link.unreported_ns[{epoch_, newest_.number}] = wall_.time.now_ns;
    ledger_.sent(static_cast<uint32_t>(i), newest_.number, epoch_);
    const auto brings = [this, i, key = Key{epoch_, newest_.number}, by = link.connection] {
      if (by == links_[i].connection) wall_.receivers[i]->frame(stream_, key);
    };
    link.to.send([this, i, brings] { wall_.receivers[i]->when_it_goes(brings); },
                 wall_.film.transfer_ns);
  }
}

bool Sender::is_passed_over(size_t link) const {
  return plan_.goes_on_without(static_cast<uint32_t>(link));
}

// As ReceiverConnection and StreamSender do.
void Sender::look_at_links() {
  for (size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (link.unreported_ns.size() >= kFramesInFlight - 1 &&
        wall_.time.now_ns - link.reported_ns > kGivenUpNs) {
      lose(i);
    } else if (is_passed_over(i) && !link.unreported_ns.empty() &&
               wall_.time.now_ns - link.unreported_ns.begin()->second >=
                   sail::Patience::kShortestNs) {
      ledger_.lost(static_cast<uint32_t>(i));
    }
  }
  serve_all();
  publish();
}

void Sender::lose(size_t link) {
  links_[link].connected = false;
  ++links_[link].connection;
  links_[link].unreported_ns.clear();
  ledger_.lost(static_cast<uint32_t>(link));
  plan_.lose(static_cast<uint32_t>(link), wall_.time.now_ns);
  carry_out_plan();
  wall_.receivers[link]->when_it_goes([this, link] {
    wall_.receivers[link]->forget(stream_);
    links_[link].from.send([this, link] {
      links_[link].connected = true;
      links_[link].sent_frame = links_[link].sent_epoch = 0;
      serve_all();
    });
  });
}

void Sender::on_ready(size_t receiver, const Key& key) {
  links_[receiver].from.send([this, receiver, key, by = links_[receiver].connection] {
    if (by != links_[receiver].connection) return;
    plan_.ready(static_cast<uint32_t>(receiver), {.frame = key.second, .epoch = key.first},
                wall_.time.now_ns);
    carry_out_plan();
  });
}

void Sender::on_report(size_t receiver, const sail::FrameReport& report) {
  links_[receiver].from.send([this, receiver, report] {
    Link& link = links_[receiver];
    // Else it came by a connection that is over.
    if (link.unreported_ns.erase({report.epoch, report.frame}) == 0) return;
    link.reported_ns = wall_.time.now_ns;
    ledger_.reported(static_cast<uint32_t>(receiver), report);
    plan_.reported(static_cast<uint32_t>(receiver), report, wall_.time.now_ns);
    carry_out_plan();
    serve_all();
    publish();
  });
}

void Sender::on_verdict(const sail::GroupVerdict& verdict) {
  if (verdict.ruling == sail::GroupRuling::kHere) return;
  plan_.rule(verdict.ruling, verdict.present_ns, verdict.at_ns, wall_.time.now_ns);
  carry_out_plan();
}

void Sender::tick() {
  plan_.tick(wall_.time.now_ns);
  carry_out_plan();
  look_at_links();
}

void Sender::carry_out_plan() {
  for (const sail::SwapPlan::Show& each : plan_.shows()) {
    for (size_t i = 0; i < links_.size(); ++i) {
      const auto number = static_cast<uint32_t>(i);
      if (!plan_.is_for(each, number)) continue;
      if (!links_[i].connected) continue;
      const sail::FrameShow show{each.frame, each.epoch, each.at_ns};
      const auto tells = [this, i, show, by = links_[i].connection] {
        if (by == links_[i].connection) wall_.receivers[i]->show(stream_, show);
      };
      links_[i].to.send([this, i, tells] { wall_.receivers[i]->when_it_goes(tells); });
    }
  }
  plan_.clear_shows();
  for (const sail::SwapPlan::Word& word : plan_.words()) {
    const sail::GroupReady ready{word.name, word.at_ns,   word.lead_ns,
                                 word.word, word.members, word.refresh};
    to_table.send([this, ready] {
      wall_.table.ready(stream_, ready, wall_.now());
      wall_.tell_members();
    });
  }
  plan_.clear_words();
  if (const auto settled = plan_.take_settled()) {
    to_manager.send([this, settled = *settled] {
      wall_.epoch_ready({.stream = stream_,
                         .epoch = settled.epoch,
                         .frame = settled.frame,
                         .lead_ns = settled.lead_ns});
    });
  }
}

void Sender::publish() {
  in_flight_ -= static_cast<int>(ledger_.told().size());
  ledger_.clear_told();
}

// --- the wall -----------------------------------------------------------------------------------

SimulatedWall::SimulatedWall(uint32_t seed, size_t streams, bool grouped, const Film& played)
    : time(seed), film(played), grouped_(grouped) {
  for (size_t i = 0; i < std::size(kReceivers); ++i) {
    receivers.push_back(std::make_unique<Receiver>(
        time, [this, i](uint32_t stream, const Key& key) { senders_.at(stream)->on_ready(i, key); },
        [this, i](uint32_t stream, const sail::FrameReport& report) {
          senders_.at(stream)->on_report(i, report);
        }));
    to_receivers_.emplace_back(time);
    director_.receiver_joined(kReceivers[i], {"10.0.0.1", static_cast<uint16_t>(1000 + i)},
                              time.now_ns);
  }
  carry_out_orders();
  std::vector<uint32_t> members;
  for (size_t i = 0; i < streams; ++i) {
    manager::Window window;
    window.owner = i + 1;
    window.frame_size = {1280, 640};
    window.block_size = sail::kDefaultBlockSize;
    window.secret = i + 1;
    window.group = grouped ? "films" : "";
    window.wall_rect = {500, static_cast<int>(250 * i), 1000, 250};
    const uint32_t number = (*windows_.open(window))->number;
    members.push_back(number);
    senders_[number] = std::make_unique<Sender>(*this, number, grouped);
  }
  if (grouped) table.set_members(members, false, time.now_ns);
  director_.layout_changed(time.now_ns);
  carry_out_orders();
  for (auto& [number, sender] : senders_) sender->begin_film();
  tick();
}

void SimulatedWall::tick() {
  director_.tick(time.now_ns);
  carry_out_orders();
  table.tick(now());
  tell_members();
  for (auto& [number, sender] : senders_) sender->tick();
  time.at(time.now_ns + 50 * kMs, [this] { tick(); });
}

void SimulatedWall::epoch_ready(const sail::EpochReady& ready) {
  director_.ready(ready, time.now_ns);
  carry_out_orders();
}

void SimulatedWall::tell_members() {
  for (const auto& told : table.told()) {
    Sender& sender = *senders_.at(told.member);
    sender.from_table.send([&sender, verdict = told.verdict] { sender.on_verdict(verdict); });
  }
  table.clear_told();
}

void SimulatedWall::carry_out_orders() {
  for (const manager::Order& order : director_.take_orders()) {
    if (const auto* send = std::get_if<manager::SendScene>(&order)) {
      for (size_t i = 0; i < receivers.size(); ++i) {
        to_receivers_[i].send([this, i, scene = send->scene] {
          receivers[i]->when_it_goes([this, i, scene] { receivers[i]->scene(scene); });
        });
      }
    } else if (const auto* map = std::get_if<manager::SendRoutes>(&order)) {
      Sender& sender = *senders_.at(map->routes.stream);
      sender.from_manager.send([&sender, routes = map->routes] { sender.route(routes); });
    } else if (const auto* effect = std::get_if<manager::SendTakeEffect>(&order)) {
      Sender& sender = *senders_.at(effect->taken.stream);
      sender.from_manager.send([&sender, taken = effect->taken] { sender.take_effect(taken); });
    } else if (const auto* named = std::get_if<manager::SendGo>(&order)) {
      const size_t i = named->receiver == kReceivers[0] ? 0 : 1;
      to_receivers_[i].send([this, i, go = named->go] {
        receivers[i]->when_it_goes([this, i, go] { receivers[i]->go(go); });
      });
    }
  }
}

// All or some of them, mostly across both tiles.
void SimulatedWall::move_windows() {
  const bool all = !grouped_ || time.any(0, 1) == 0;
  bool moved = false;
  for (const manager::Window& window : windows_.bottom_to_top()) {
    if (!all && time.any(0, 2) != 0) continue;
    moved = true;
    const int x = time.any(0, 9) == 0 ? static_cast<int>(1000 * time.any(0, 1))
                                      : static_cast<int>(time.any(1, 999));
    windows_.find(window.number)->wall_rect.x = x;
  }
  if (!moved) return;
  director_.layout_changed(time.now_ns);
  carry_out_orders();
}

bool SimulatedWall::is_mixed() const {
  std::set<uint64_t> layouts;
  std::map<uint32_t, std::set<uint64_t>> frames;
  std::set<int64_t> instants;
  for (size_t i = 0; i < receivers.size(); ++i) {
    const sail::Scene& scene = receivers[i]->scene();
    layouts.insert(scene.epoch);
    for (const sail::SceneWindow& window : scene.windows) {
      if (sail::intersect(window.wall_rect, tiles_.tiles[i].wall_rect).empty()) continue;
      const auto seen = receivers[i]->seen.find(window.window);
      const uint64_t frame = seen == receivers[i]->seen.end() ? 0 : seen->second;
      frames[window.window].insert(frame);
      instants.insert(frame == 0 ? 0 : senders_.at(window.window)->present_ns(frame));
    }
  }
  const bool of_one =
      std::ranges::any_of(frames, [](const auto& one) { return one.second.size() > 1; });
  return layouts.size() > 1 || of_one || (grouped_ && instants.size() > 1);
}

void SimulatedWall::run(int64_t for_ns) {
  for (const int64_t until_ns = time.now_ns + for_ns; time.now_ns < until_ns;) {
    time.step();
    mixed += is_mixed() ? 1 : 0;
    if (!director_.settled() || layouts() < 2 || std::exchange(moves_soon_, true)) continue;
    time.at(time.now_ns + time.any(0, film.pause_ns), [this] {
      moves_soon_ = false;
      move_windows();
    });
  }
}

void SimulatedWall::stand_still(size_t receiver, int64_t for_ns) {
  receivers[receiver]->stand_still(time.now_ns + for_ns);
}

void SimulatedWall::play(int64_t for_ns) {
  run(for_ns);
  moving = false;
  for (const int64_t until_ns = time.now_ns + 1000 * kMs; time.now_ns < until_ns;) time.step();
}

std::string SimulatedWall::causes() const {
  const auto of = [this](uint64_t sail::DropCounts::*cause) {
    return std::to_string(sum([cause](const Sender& one) { return one.ledger().drops().*cause; }));
  };
  return "superseded " + of(&sail::DropCounts::superseded) + ", old_epoch " +
         of(&sail::DropCounts::old_epoch) + ", hidden " + of(&sail::DropCounts::hidden) +
         ", unsent " + of(&sail::DropCounts::unsent) + ", refused " +
         std::to_string(sum([](const Sender& one) { return one.refused; })) + " of " +
         std::to_string(submitted()) + " in " + std::to_string(layouts()) + " layouts";
}

}  // namespace test
