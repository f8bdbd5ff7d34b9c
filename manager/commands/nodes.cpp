// What applications and receivers tell of their streams.
#include "manager/clocks.h"
#include "manager/commands/verbs.h"
#include "manager/desk.h"
#include "manager/figures.h"
#include "manager/openings.h"
#include "manager/peers.h"
#include "manager/thumbnail_exchange.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/playback.h"
#include "sail/wire/thumbnail.h"

namespace manager::verbs {

void open_stream(const Call& call, Openings& openings) {
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
  desk.remove((*window)->number);
  return sail::Json::object();
}

Answer playback(const Call& call, Desk& desk) {
  const auto told = sail::message_from_json<sail::StreamPlayback>(call.params);
  if (!told) return told.error();
  const auto window = own_window(call, desk, told->stream);
  if (!window) return window.error();
  desk.change([&](Arrangement& arrangement) {
    arrangement.set_playback((*window)->number, told->playback);
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
  const auto window = own_window(call, desk, thumbnail->stream);
  if (!window) return window.error();
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

Answer receiver_stats(const Call& call, Figures& figures) {
  const auto stats = sail::message_from_json<sail::ReceiverStats>(call.params);
  if (!stats) return stats.error();
  figures.record(call.peer, *stats);
  return sail::Json::object();
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

}  // namespace manager::verbs
