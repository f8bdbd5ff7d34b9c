// A window's diagnosis names any fault within three seconds: a table of faults and causes, on a
// simulated wall whose programs report once a second. Faults that the simulation cannot produce are
// written into the reports.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>

#include "manager/monitor/wall_health.h"
#include "tests/e2e/walls/simulated_wall.h"

namespace test {
namespace {

using manager::Cause;

constexpr int64_t kOneSecondNs = 1000 * kMs;
constexpr int64_t kForeverNs = int64_t{3600} * kOneSecondNs;
constexpr int64_t kEpochS = 1'800'000'000;  // since 1970, when simulated time begins
constexpr int kNamedS = 3;
constexpr uint32_t kWindow = 1;
constexpr size_t kBroken = 1;  // the receiver that faults are injected into

class World;
struct Fault {
  const char* name;
  Cause cause;
  std::function<void(World&)> begins{};   // once
  std::function<void(World&)> reports{};  // changes what is reported, each second
};

class World {
 public:
  World() {
    for (size_t i = 0; i < receivers.size(); ++i) {
      receivers[i] = {.render_ms = 3, .paint_pct = 20, .decode_ms = 5, .decode_pct = 30};
      roster.find(wall.receiver_name(i))->peer = peer_of(i);
    }
    window().owner = kApplication;
    window().playback = sail::Playback{};
  }
  manager::Window& window() { return *wall.windows().find(kWindow); }
  int64_t now_s() const { return kEpochS + wall.time.now_ns / kOneSecondNs; }
  Cause cause() { return window().health.diagnosis().cause; }
  sail::LinkStats& broken_link() { return stats.links.at(kBroken); }
  // Sets the rates of submitted, encoded and shown frames; shows() sets the shown rate only.
  void hands_over(double fps) { stats.fps_submitted = stats.fps_encoded = stats.fps_shown = fps; }
  void shows(double fps) { stats.fps_shown = fps; }
  static void overload(sail::HostStats& host) {
    host.load.wanting = 15;
    host.load.waits_pct = 95;
    host.load.busy = {"cc1plus"};
  }

  // One fault, the reports after it, and the expected diagnosis.
  void second(const Fault& fault) {
    wall.run(kOneSecondNs);
    ++seconds;
    stats = wall.sender(kWindow).stats(1);
    if (fault.reports) fault.reports(*this);
    hosts.record(kApplication, host, wall.time.now_ns);
    for (size_t i = 0; i < receivers.size(); ++i) report(i);
    for (const uint32_t number : wall.windows().order()) {
      evaluate_window(*wall.windows().find(number), reports());
    }
    if (!wall.sender(kWindow).process.stopped() && !window().lost) {
      take_stats(window(), stats, reports());
    }
    health.evaluate(reports(), wall.windows(), troubles);
  }
  bool is_told(Cause cause) const {
    return std::ranges::any_of(health.problems(),
                               [&](const auto& problem) { return problem.cause == cause; });
  }

  SimulatedWall wall{
      7,
      1,
      false,
      {.ahead_ns = 0, .transfer_ns = kMessageNs, .pause_ns = kForeverNs, .uncovers = 10}};
  manager::ReceiverRoster roster{wall.tiles()};
  manager::Hosts hosts;
  manager::WallHealth health;
  manager::Troubles troubles;
  sail::StreamStats stats;
  std::array<sail::ReceiverStats, 2> receivers{};
  std::array<sail::HostStats, 2> receiver_hosts{
      {{.host = "node1", .load = {.cores = 2}}, {.host = "node2", .load = {.cores = 2}}}};
  sail::HostStats host{.host = "render", .load = {.cores = 2, .wanting = 1, .own_pct = 90}};
  uint64_t seconds = 0;

 private:
  static constexpr uint64_t kApplication = 1;
  static uint64_t peer_of(size_t receiver) { return 10 + receiver; }
  manager::Reports reports() const {
    return {.wall = wall.tiles(),
            .receivers = roster,
            .hosts = hosts,
            .director = &wall.ruler(),
            .now_ns = wall.time.now_ns,
            .now_s = now_s(),
            .wall_ns = wall.time.now_ns};
  }
  void report(size_t receiver) {
    const SimulatedWall::Node& node = wall.node(receiver);
    manager::ReceiverEntry& entry = *roster.find(wall.receiver_name(receiver));
    if (node.process.stopped() || node.line.stopped() || !entry.connected()) return;
    entry.stats = receivers[receiver];
    entry.measured_ns = wall.time.now_ns;
    hosts.record(peer_of(receiver), receiver_hosts[receiver], wall.time.now_ns);
  }
};

const Fault kFaults[] = {
    // --- programs
    {"the application stands still", Cause::kProgramStopped,
     [](World& world) { world.wall.sender(kWindow).process.stop(); }},
    {"the application is killed, and expected back", Cause::kProgramGone,
     [](World& world) {
       world.window().lost = manager::LostProgram{"render", "killed", 1};
     }},
    {"one of several senders is killed", Cause::kRankAway,
     [](World& world) {
       world.window().parts.resize(2);
       world.window().parts[0].owner = 1;
     }},
    {"the application hands over nothing at first",
     Cause::kOpening,
     {},
     [](World& world) {
       world.stats.frames_submitted = world.stats.frames_shown = 0;
       world.hands_over(0);
     }},
    {"the application hands over too few frames",
     Cause::kApplication,
     {},
     [](World& world) { world.hands_over(10); }},
    {"the application gives no frame for a new layout", Cause::kLayout,
     [](World& world) {
       world.wall.moving = false;  // the film ends
       world.wall.run(200 * kMs);
       world.wall.move_window(kWindow, 300);
     }},
    {"a receiver stands still", Cause::kReceiverStopped,
     [](World& world) { world.wall.stand_still(kBroken, kForeverNs); }},
    {"a receiver is killed", Cause::kReceiverAway,
     [](World& world) { world.roster.find(world.wall.receiver_name(kBroken))->peer = 0; }},
    {"a receiver takes frames and is never ready",
     Cause::kNotReady,
     {},
     [](World& world) {
       world.shows(0);
       world.broken_link().left_behind = 1;
     }},
    {"a receiver refuses connections",
     Cause::kUnreachable,
     {},
     [](World& world) {
       world.shows(0);
       world.broken_link().trouble = sail::LinkTrouble::kRefusedPort;
       world.broken_link().trouble_s = 1;
     }},
    {"a receiver reports no frame ready",
     Cause::kNotReady,
     {},
     [](World& world) {
       world.shows(0);
       world.broken_link().trouble = sail::LinkTrouble::kNotReady;
       world.broken_link().trouble_s = 1;
     }},
    // --- sources, encoder, decoder, painter
    {"a live source falls silent", Cause::kSilent,
     [](World& world) { world.window().playback->live = true; },
     [](World& world) {
       world.stats.frames_submitted = world.window().stats->frames_submitted;
       world.hands_over(0);
     }},
    {"the time stamps of a live source jump", Cause::kTimeStamps,
     [](World& world) {
       world.window().playback->live = true;
       world.window().playback->jumped_s = world.now_s();
     }},
    {"the source is decoded too slowly",
     Cause::kSource,
     {},
     [](World& world) {
       world.hands_over(15);
       world.stats.source_ms = 60;
     }},
    {"the storage is too slow",
     Cause::kStorage,
     {},
     [](World& world) {
       world.hands_over(15);
       world.stats.source_ms = 60;
       world.host.load.own_pct = 5;
     }},
    {"the encoder is too slow",
     Cause::kEncoding,
     {},
     [](World& world) {
       world.hands_over(15);
       world.stats.encode_ms = 60;
     }},
    {"the decoder is too slow",
     Cause::kDecoding,
     {},
     [](World& world) {
       world.shows(15);
       world.receivers[kBroken].decode_pct = 98;
     }},
    {"the painter is too slow",
     Cause::kPainting,
     {},
     [](World& world) {
       world.shows(15);
       world.receivers[kBroken].paint_pct = 98;
     }},
    // --- queues and links
    {"frames are turned away, since too many are in flight",
     Cause::kQueue,
     {},
     [](World& world) {
       world.shows(15);
       world.stats.dropped.unsent += 15 * world.seconds;
     }},
    {"the others wait for a receiver",
     Cause::kBarrier,
     {},
     [](World& world) {
       world.shows(15);
       world.broken_link().held_up_ms = 30;
     }},
    {"the link carries too little",
     Cause::kLink,
     {},
     [](World& world) {
       world.shows(15);
       world.broken_link().busy_pct = 99;
     }},
    {"the link loses packets",
     Cause::kLoss,
     {},
     [](World& world) {
       world.shows(15);
       world.stats.dropped.lost = 15 * world.seconds;
       world.broken_link().counters.frames_lost = 15 * world.seconds;
     }},
    {"the link to a receiver is cut", Cause::kUnreachable,
     [](World& world) { world.wall.cut_off(kBroken, kForeverNs); }},
    {"a receiver's cable is pulled", Cause::kReceiverStopped,
     [](World& world) {
       world.wall.node(kBroken).cable.stop();
       world.wall.node(kBroken).line.stop();
     }},
    // --- machines, clocks, disks
    {"the application's machine is overloaded",
     Cause::kMachine,
     {},
     [](World& world) {
       world.hands_over(15);
       world.stats.encode_ms = 60;
       World::overload(world.host);
     }},
    {"a receiver's machine is overloaded",
     Cause::kMachine,
     {},
     [](World& world) {
       world.shows(15);
       World::overload(world.receiver_hosts[kBroken]);
     }},
    {"a receiver's clock is not known",
     Cause::kClock,
     {},
     [](World& world) {
       world.shows(15);
       world.receivers[kBroken].clock_error_us = 50'000;
     }},
    {"the manager's disk is full", Cause::kSaving,
     [](World& world) { world.troubles.disk = "no space left on device"; }},
    {"a receiver's sound card is missing",
     Cause::kSound,
     {},
     [](World& world) { world.receivers[kBroken].sound = sail::SoundStats{.trouble = "no card"}; }},
};

class FaultCauses : public testing::TestWithParam<Fault> {};

TEST_P(FaultCauses, AreNamedWithinThreeSeconds) {
  const Fault& fault = GetParam();
  World world;
  for (int i = 0; i < 6; ++i) world.second({});
  ASSERT_EQ(world.cause(), Cause::kNone) << world.window().health.diagnosis().sentence;
  ASSERT_EQ(world.health.sentence(), "all is well");
  if (fault.begins) fault.begins(world);
  const bool of_window = manager::picture_of(fault.cause) == manager::Picture::kLate;
  for (int second = 1; second <= kNamedS + 3; ++second) {
    world.second(fault);
    EXPECT_NE(world.cause(), Cause::kUnknown) << "second " << second;
    if (second < kNamedS) continue;
    const manager::Diagnosis& reported = world.window().health.diagnosis();
    if (of_window) {
      EXPECT_STREQ(cause_code(reported.cause), cause_code(fault.cause)) << reported.sentence;
    }
    EXPECT_TRUE(world.is_told(fault.cause)) << world.health.sentence();
  }
}

TEST(FaultCauses, AllCausesHaveAFault) {
  std::set<Cause> broken;
  for (const Fault& fault : kFaults) broken.insert(fault.cause);
  for (const Cause cause : manager::all_causes()) {
    const bool late = manager::picture_of(cause) == manager::Picture::kLate;
    if (!late || cause == Cause::kUnknown) continue;
    EXPECT_TRUE(broken.contains(cause)) << cause_code(cause);
  }
}

std::string name_of(const testing::TestParamInfo<Fault>& info) {
  std::string name = info.param.name;
  std::erase_if(name, [](char letter) { return std::isalnum(letter) == 0 && letter != ' '; });
  std::ranges::replace(name, ' ', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Table, FaultCauses, testing::ValuesIn(kFaults), name_of);

}  // namespace
}  // namespace test
