// The wall as a whole: state, statistics, snapshots, identify, calibrate, power, shutdown.
#include <memory>

#include "manager/commands/verbs.h"
#include "manager/desk/clocks.h"
#include "manager/desk/desk.h"
#include "manager/desk/sound.h"
#include "manager/failover/shutdown.h"
#include "manager/monitor/figures.h"
#include "manager/monitor/state_feed.h"
#include "manager/peers/change_feed.h"
#include "manager/peers/peers.h"
#include "manager/peers/snapshot_queue.h"
#include "manager/peers/state_json.h"
#include "manager/peers/wall_power.h"
#include "sail/core/base/secret.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/wall_clock.h"

namespace manager::verbs {

Answer list(const Call& call, StateFeed& state) {
  sail::JsonFields fields = call.fields();
  const int64_t skip = fields.integer_or("skip", 0, sail::kMaxWindows, 0);
  if (auto error = fields.finish()) return *error;
  return state.state(static_cast<size_t>(skip), ends_of(call.peer));
}

void subscribe(const Call& call, StateFeed& state, Figures& figures) {
  sail::JsonFields fields = call.fields();
  const Wants wants{.figures = fields.boolean_or("figures", false),
                    .pointers = fields.boolean_or("pointers", false),
                    .drawings = fields.boolean_or("drawings", false)};
  if (auto error = fields.finish()) {
    call.reply(*error);
  } else {
    state.subscribe(call.peer, wants, call.reply);
    if (wants.figures) figures.publish_all();
  }
}

namespace {

// This many links, over all windows, fit into one control message.
constexpr size_t kMostLinks = sail::kMaxTiles;

class WindowList {
 public:
  explicit WindowList(const Sound& sound) : sound_(sound) {}
  void add(const Window& window) {
    sail::Json object = window_object(window);
    if (const auto level = sound_.level_of(window)) {
      object["level"] = {{"peak", level->peak}, {"rms", level->rms}};
    }
    const size_t links = window.stats ? window.stats->links.size() : 0;
    if (links > room_) {
      object["stats"]["links_left_out"] = links;
    } else if (window.stats) {
      object["stats"]["links"] = links_json(window);
      room_ -= links;
    }
    list_.push_back(std::move(object));
  }
  sail::Json take() { return std::move(list_); }

 private:
  const Sound& sound_;
  sail::Json list_ = sail::Json::array();
  size_t room_ = kMostLinks;
};

}  // namespace

Answer stats(const Call& call, const Desk& desk, const Peers& peers, const Figures& figures,
             Sound& sound) {
  sail::JsonFields fields = call.fields();
  const uint32_t only = fields.has("window") ? window_number(fields) : 0;
  const auto skip = static_cast<size_t>(fields.integer_or("skip", 0, sail::kMaxWindows, 0));
  if (auto error = fields.finish()) return *error;
  sound.look();
  WindowList windows(sound);
  if (only != 0) {
    const auto found = find_window(desk, only);
    if (!found) return found.error();
    windows.add(**found);
  } else {
    const std::vector<Window>& all = desk.windows().bottom_to_top();
    for (size_t i = skip; i < all.size() && i - skip < kMaxInBatch; ++i) windows.add(all[i]);
  }
  sail::Json receivers = sail::Json::array();
  for (const ReceiverEntry& receiver : peers.receivers().all()) {
    receivers.push_back(receiver_object(receiver, ends_of(call.peer)));
  }
  const Director::Counters& counters = desk.director().counters();
  return sail::Json{{"wall_ns", desk.clock().wall_now_ns()},
                    {"total", desk.windows().bottom_to_top().size()},
                    {"windows", windows.take()},
                    {"receivers", std::move(receivers)},
                    {"hosts", figures.hosts()},
                    {"manager",
                     {{"peers", peers.service().peers().size()},
                      {"layouts", counters.layouts},
                      {"layouts_timed_out", counters.layouts_timed_out}}}};
}

Answer clocks(const Call& /*call*/, const Clocks& clocks) {
  return clocks.json();
}

Answer why(const Call& call, const Desk& desk, Figures& figures) {
  sail::JsonFields fields = call.fields();
  const uint32_t only = fields.has("window") ? window_number(fields) : 0;
  if (auto error = fields.finish()) return *error;
  figures.evaluate();
  if (only == 0) return figures.why();
  const auto window = find_window(desk, only);
  if (!window) return window.error();
  sail::Json answer = to_json((*window)->health.diagnosis());
  answer["window"] = (*window)->number;
  answer["title"] = (*window)->title;
  if (!(*window)->codec_reason.empty()) answer["codec_reason"] = (*window)->codec_reason;
  return answer;
}

namespace {

// Time for the request to reach every receiver.
constexpr int64_t kAheadNs = 100'000'000;
constexpr int64_t kWaitTimeoutMs = 1000;

// Replies after the last receiver has answered. The reply lists the receivers that will send
// pictures.
struct Gathering {
  sail::Json answer;
  sail::Json receivers = sail::Json::array();
  size_t waits_for = 0;
  Reply reply;

  void answered() {
    if (--waits_for > 0) return;
    if (receivers.empty()) {
      reply(sail::fail(sail::ErrorCode::kTimeout, "no receiver could deliver a picture"));
      return;
    }
    answer["receivers"] = std::move(receivers);
    reply(std::move(answer));
  }
};

sail::Json receiver_with_tiles(const sail::Wall& wall, const ReceiverEntry& receiver,
                               const sail::Ends& to) {
  sail::Json tiles = sail::Json::array();
  for (const sail::Tile& tile : wall.tiles) {
    if (tile.receiver == receiver.name) tiles.push_back(tile.name);
  }
  sail::Json json = {{"name", receiver.name},
                     {"host", sail::host_for(to, receiver.listener())},
                     {"port", receiver.data_port},
                     {"tiles", std::move(tiles)}};
  if (!receiver.certificate.empty()) json["certificate"] = receiver.certificate;
  return json;
}

void take(const Desk& desk, Peers& peers, const sail::Ends& to, const Reply& reply) {
  const sail::Wall& wall = desk.wall();
  const int64_t at_ns = desk.clock().wall_now_ns() + kAheadNs;
  const sail::Json permit =
      to_json(sail::SnapshotPermit{.secret = sail::random_secret(), .at_ns = at_ns});
  const auto gathering = std::make_shared<Gathering>();
  gathering->answer = permit;
  gathering->answer["wall"] = wall_object(wall);
  for (const Window& window : desk.windows().bottom_to_top()) {
    if (window.cover.frozen) gathering->answer["frozen"].push_back(window.number);
  }
  gathering->reply = reply;
  for (const ReceiverEntry& receiver : peers.receivers().all()) {
    if (!receiver.connected()) continue;
    ++gathering->waits_for;
    peers.receiver(receiver.name)
        ->rpc()
        .call(
            "snapshot", permit,
            [gathering, entry = receiver_with_tiles(wall, receiver, to)](const Answer& answer) {
              if (answer) gathering->receivers.push_back(entry);
              gathering->answered();
            },
            kWaitTimeoutMs);
  }
  if (gathering->waits_for > 0) return;
  reply(sail::fail(sail::ErrorCode::kUnavailable, "no receiver is connected: start one"));
}

}  // namespace

void snapshot(const Call& call, SnapshotQueue& queue, const Desk& desk, Peers& peers) {
  const auto queued =
      queue.enqueue(call.peer.id(), [&desk, &peers, to = ends_of(call.peer), reply = call.reply] {
        take(desk, peers, to, reply);
      });
  if (!queued) call.reply(queued.error());
}

constexpr double kLongestAidS = 86'400;

Answer identify(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const bool on = fields.boolean_or("on", true);
  const double seconds = fields.number_or("seconds", 0, kLongestAidS, 0);
  if (auto error = fields.finish()) return *error;
  desk.identify(on, seconds);
  return sail::Json{{"identify", on}};
}

Answer calibrate(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  sail::TestPattern pattern = sail::TestPattern::kOff;
  sail::kTestPatterns.read(fields, "pattern", pattern);
  const double seconds = fields.number_or("seconds", 0, kLongestAidS, 0);
  if (auto error = fields.finish()) return *error;
  desk.calibrate(pattern, seconds);
  return sail::Json{{"calibrate", sail::kTestPatterns.word(pattern)}};
}

namespace {

std::vector<std::string> display_names(sail::JsonFields& fields, const char* field) {
  std::vector<std::string> names;
  if (!fields.has(field)) return names;
  for (const sail::Json& item : fields.array(field, sail::kMaxTiles)) {
    const auto* name = item.get_ptr<const std::string*>();
    if (name != nullptr && name->size() <= sail::kMaxNameLength)
      names.push_back(*name);
    else
      fields.mistake(field, "must contain names");
  }
  if (names.empty()) fields.mistake(field, "must contain at least one name");
  return names;
}

WallPower::Selection displays_selected(sail::JsonFields& fields) {
  return {.nodes = display_names(fields, "nodes"), .tiles = display_names(fields, "tiles")};
}

}  // namespace

void power(const Call& call, WallPower& displays) {
  sail::JsonFields fields = call.fields();
  const std::string order = fields.string("power", sail::kMaxNameLength);
  if (order != "on" && order != "off") fields.mistake("power", R"(must be "on" or "off")");
  const WallPower::Selection selection = displays_selected(fields);
  if (auto error = fields.finish()) return call.reply(*error);
  displays.run(order == "on" ? sail::PowerOrder::kOn : sail::PowerOrder::kOff, selection,
               call.reply);
}

void power_status(const Call& call, WallPower& displays) {
  sail::JsonFields fields = call.fields();
  const WallPower::Selection selection = displays_selected(fields);
  if (auto error = fields.finish()) return call.reply(*error);
  displays.run(sail::PowerOrder::kStatus, selection, call.reply);
}

void shutdown(const Call& call, Shutdown& ending) {
  call.reply(sail::Json::object());
  ending.begin();
}

}  // namespace manager::verbs
