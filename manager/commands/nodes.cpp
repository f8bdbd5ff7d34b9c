// Reports of applications and receivers about their streams, and requests of people to receivers;
// requests of the standby manager.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "manager/commands/verbs.h"
#include "manager/desk/clocks.h"
#include "manager/desk/desk.h"
#include "manager/desk/groups.h"
#include "manager/desk/sound.h"
#include "manager/desk/thumbnails.h"
#include "manager/failover/journal_server.h"
#include "manager/files/node_logs.h"
#include "manager/monitor/figures.h"
#include "manager/monitor/recorders.h"
#include "manager/opening/stream_opener.h"
#include "manager/peers/peers.h"
#include "manager/programs/node_checkups.h"
#include "manager/programs/node_command.h"
#include "manager/programs/receiver_launcher.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/memory.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/sound.h"
#include "sail/core/wire/trace_answers.h"

namespace manager::verbs {

void open_stream(const Call& call, StreamOpener& openings) {
  const auto open = sail::message_from_json<sail::OpenStream>(call.params);
  if (open) {
    openings.open_stream(call.peer, *open, call.reply);
  } else {
    call.reply(open.error());
  }
}

Answer close_stream(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t stream = stream_number(fields);
  if (auto error = fields.finish_open()) return *error;
  const auto window = own_window(call, desk, stream);
  if (!window) return window.error();
  desk.remove_stream(stream);
  return sail::Json::object();
}

Answer playback(const Call& call, Desk& desk) {
  const auto report = sail::message_from_json<sail::StreamPlayback>(call.params);
  if (!report) return report.error();
  const auto window = own_window(call, desk, report->stream);
  if (!window) return window.error();
  if (report->stream != (*window)->measured_stream()) return sail::Json::object();
  desk.change([&](Arrangement& arrangement) {
    arrangement.set_playback((*window)->number, report->playback);
  });
  return sail::Json::object();
}

Answer stream_stats(const Call& call, const Desk& desk, Figures& figures) {
  const auto stats = sail::message_from_json<sail::StreamStats>(call.params);
  if (!stats) return stats.error();
  const auto window = own_window(call, desk, stats->stream);
  if (!window) return window.error();
  figures.record((*window)->number, *stats);
  return sail::Json::object();
}

Answer thumbnail(const Call& call, const Desk& desk, ThumbnailExchange& thumbnails) {
  const auto thumbnail = sail::message_from_json<sail::Thumbnail>(call.params);
  if (!thumbnail) return thumbnail.error();
  if (call.peer.role() == sail::Role::kReceiver) {
    thumbnails.arrived_from(call.peer.id(), *thumbnail);
    return sail::Json::object();
  }
  const auto window = own_window(call, desk, thumbnail->stream);
  if (!window) return window.error();
  if (thumbnail->stream != (*window)->stream) return sail::Json::object();
  thumbnails.arrived((*window)->number, *thumbnail);
  return sail::Json::object();
}

Answer epoch_ready(const Call& call, Desk& desk) {
  const auto ready = sail::message_from_json<sail::EpochReady>(call.params);
  if (!ready) return ready.error();
  const auto window = own_window(call, desk, ready->stream);
  if (!window) return window.error();
  desk.epoch_ready(*ready);
  return sail::Json::object();
}

Answer data_port(const Call& call, Peers& peers) {
  const auto data = sail::message_from_json<sail::DataPort>(call.params);
  if (!data) return data.error();
  peers.move_data(call.peer, data->port);
  return sail::Json::object();
}

Answer group_absent(const Call& call, Groups& groups) {
  const auto absent = sail::message_from_json<sail::GroupAbsent>(call.params);
  if (!absent) return absent.error();
  groups.absent(call.peer.id(), *absent);
  return sail::Json::object();
}

void record(const Call& call, Recorders& recorders) {
  const auto wish = sail::message_from_json<sail::Record>(call.params);
  if (!wish) return call.reply(wish.error());
  recorders.record(call.peer, *wish, call.reply);
}

Answer receiver_stats(const Call& call, Figures& figures, Clocks& clocks) {
  const auto stats = sail::message_from_json<sail::ReceiverStats>(call.params);
  if (!stats) return stats.error();
  figures.record(call.peer, *stats);
  clocks.record(call.peer, stats->refresh);
  return sail::Json::object();
}

Answer sound_levels(const Call& call, Sound& sound) {
  const auto levels = sail::message_from_json<sail::SoundLevels>(call.params);
  if (!levels) return levels.error();
  sound.record(call.peer.id(), *levels);
  return sail::Json::object();
}

Answer watch_levels(const Call& call, Sound& sound) {
  sail::JsonFields fields = call.fields();
  const bool on = fields.boolean_or("on", true);
  if (auto error = fields.finish()) return *error;
  sound.watch_levels(call.peer.id(), on);
  return sail::Json::object();
}

Answer host_stats(const Call& call, Figures& figures) {
  const auto stats = sail::message_from_json<sail::HostStats>(call.params);
  if (!stats) return stats.error();
  figures.record(call.peer, *stats);
  return sail::Json::object();
}

namespace {

bool is_standby(const sail::Wall& wall, const std::string& name) {
  return wall.standby && name == sail::StandbyPlace::kName;
}

// Reads the name of a receiver or of the standby. kNotFound: the wall has no such receiver.
sail::Result<std::string> receiver_name(sail::JsonFields& fields, const Peers& peers) {
  const std::string name = fields.string("receiver", sail::kMaxNameLength);
  if (auto error = fields.finish()) return *error;
  if (peers.receivers().find(name) != nullptr || is_standby(peers.wall(), name)) return name;
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("the wall has no receiver '{}'; its receivers are {}", name,
                                peers.receivers().names()));
}

// kNotFound: the wall file has no receiver or app of this name, and no standby.
sail::Result<void> check_node(const sail::Wall& wall, const std::string& name) {
  if (is_standby(wall, name)) return {};
  std::string names;
  for (const sail::AppPlace& node : render_nodes(wall)) {
    if (node.name == name) return {};
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", node.name);
  }
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("the wall has no node '{}'; its nodes are {}", name, names));
}

}  // namespace

Answer receiver_log(const Call& call, const Desk& desk, const NodeLogs& logs) {
  constexpr int64_t kUsualBytes = 8192;
  constexpr int64_t kMostFrom = int64_t{1} << 53;
  constexpr int64_t kMostBytes = NodeLogs::kMostReplyBytes;
  sail::JsonFields fields = call.fields();
  const bool continues = fields.has("from");
  const auto from = static_cast<uint64_t>(fields.integer_or("from", 0, kMostFrom, 0));
  const auto last = static_cast<size_t>(fields.integer_or("last", 0, kMostBytes, kUsualBytes));
  const std::string name = fields.string("receiver", sail::kMaxNameLength);
  if (auto error = fields.finish()) return *error;
  if (const auto known = check_node(desk.wall(), name); !known) return known.error();
  const auto part = continues ? logs.read(name, from) : logs.read_end(name, last);
  if (!part) return part.error();
  return sail::Json{{"text", part->text}, {"next", part->next}};
}

void doctor(const Call& call, NodeCheckups& checkups) {
  sail::JsonFields fields = call.fields();
  const std::string node = fields.string("node", sail::kMaxNameLength);
  if (auto error = fields.finish()) return call.reply(*error);
  checkups.run(node, call.reply);
}

Answer receiver_restart(const Call& call, const Peers& peers, ReceiverLauncher& launcher) {
  sail::JsonFields fields = call.fields();
  const auto name = receiver_name(fields, peers);
  if (!name) return name.error();
  if (const auto done = launcher.restart(*name); !done) return done.error();
  return sail::Json::object();
}

namespace {

constexpr int64_t kAnswerTimeoutMs = 2000;

bool has_frames(const sail::ServicePeer& peer) {
  return peer.role() == sail::Role::kApplication || peer.role() == sail::Role::kReceiver;
}

sail::Json process_json(uint64_t id, const sail::ServicePeer& peer) {
  const bool receives = peer.role() == sail::Role::kReceiver;
  return {{"process", id}, {"role", receives ? "receiver" : "application"}, {"name", peer.name()}};
}

// Replies when all processes have answered: each pending call holds a reference.
struct AskedProcesses {
  Reply reply;
  sail::Json processes = sail::Json::array();
  ~AskedProcesses() { reply(sail::Json{{"processes", std::move(processes)}}); }
};

}  // namespace

void trace(const Call& call, Peers& peers) {
  constexpr double kMostSeconds = static_cast<double>(sail::kMaxTraceMs) / 1e3;
  sail::JsonFields fields = call.fields();
  const double seconds = fields.number("seconds", 0.001, kMostSeconds);
  if (auto error = fields.finish()) return call.reply(*error);
  const auto begun = std::make_shared<AskedProcesses>();
  begun->reply = call.reply;
  for (const auto& [id, peer] : peers.service().peers()) {
    if (!has_frames(*peer)) continue;
    peer->rpc().call(
        "trace", {{"for_ms", std::max<int64_t>(1, std::llround(seconds * 1e3))}},
        [begun, process = process_json(id, *peer)](const Answer& answer) {
          if (answer) begun->processes.push_back(process);
        },
        kAnswerTimeoutMs);
  }
}

void memory(const Call& call, Peers& peers) {
  sail::JsonFields fields = call.fields();
  if (auto error = fields.finish()) return call.reply(*error);
  const auto told = std::make_shared<AskedProcesses>();
  told->reply = call.reply;
  sail::Json own = {{"role", "manager"}, {"name", "manager"}};
  sail::write_fields(
      own, sail::MemoryUse{.pid = static_cast<uint64_t>(getpid()), .process = sail::own_memory()});
  told->processes.push_back(std::move(own));
  for (const auto& [id, peer] : peers.service().peers()) {
    if (!has_frames(*peer)) continue;
    peer->rpc().call(
        sail::MemoryUse::kMethod, sail::Json::object(),
        [told, process = process_json(id, *peer)](const Answer& answer) mutable {
          if (!answer) return;
          const auto use = sail::message_from_json<sail::MemoryUse>(*answer);
          if (!use) return;
          sail::write_fields(process, *use);
          told->processes.push_back(std::move(process));
        },
        kAnswerTimeoutMs);
  }
}

// Forwards the request and the answer unchanged: only the traced process stores the trace.
void trace_read(const Call& call, Peers& peers) {
  sail::JsonFields fields = call.fields();
  const auto id =
      static_cast<uint64_t>(fields.integer("process", 1, static_cast<int64_t>(sail::kMaxCounter)));
  const int64_t from = fields.integer_or("from", 0, static_cast<int64_t>(sail::kMaxCounter), 0);
  if (auto error = fields.finish()) return call.reply(*error);
  sail::ServicePeer* peer = peers.find(id);
  if (peer == nullptr || !has_frames(*peer)) {
    return call.reply(sail::fail(sail::ErrorCode::kNotFound,
                                 fmt::format("process {} is no longer connected", id)));
  }
  peer->rpc().call("trace_read", {{"from", from}}, call.reply, kAnswerTimeoutMs);
}

Answer clock(const Call& /*call*/, const Clocks& clocks) {
  return to_json(sail::ClockReading{.wall_ns = clocks.wall().wall_now_ns()});
}

Answer clock_stats(const Call& call, Clocks& clocks) {
  const auto stats = sail::message_from_json<sail::ClockStats>(call.params);
  if (!stats) return stats.error();
  clocks.record(call.peer, *stats);
  return sail::Json::object();
}

Answer stand_by(const Call& call, JournalServer& journal_server, Desk& desk) {
  const auto asked = sail::message_from_json<sail::StandBy>(call.params);
  if (!asked) return asked.error();
  auto journal = journal_server.take(call.peer, *asked);
  if (!journal || asked->lost.empty()) return journal;
  desk.change([&](Arrangement& arrangement) {
    for (const std::string& change : asked->lost)
      arrangement.history().note({}, "lost with the former manager: " + change);
  });
  return journal;
}

Answer journal_read(const Call& call, JournalServer& journal_server) {
  return sail::message_from_json<sail::JournalRead>(call.params)
      .and_then(
          [&](const sail::JournalRead& asked) { return journal_server.read(call.peer, asked); });
}

}  // namespace manager::verbs
