#include "sail/wire/playback.h"

#include "sail/wire/control_fields.h"
#include "sail/wire/limits.h"

namespace sail {
namespace {

using namespace control_fields;

void write_playback(Json& object, const Playback& playback) {
  object["position_s"] = playback.position_s;
  object["at_ns"] = playback.at_ns;
  object["duration_s"] = playback.duration_s;
  object["paused"] = playback.paused;
  object["rate"] = playback.rate;
  object["loop"] = playback.loop;
  if (playback.volume) object["volume"] = *playback.volume;
  object["live"] = playback.live;
  if (playback.ended) object["ended"] = true;
  if (playback.page == 0) return;
  object["page"] = playback.page;
  object["pages"] = playback.pages;
}

Playback read_playback(JsonFields& fields) {
  Playback playback;
  playback.position_s = fields.number("position_s", 0, kMaxPlaybackValue);
  playback.at_ns = time_ns(fields, "at_ns");
  playback.duration_s = fields.number_or("duration_s", 0, kMaxPlaybackValue, 0);
  playback.paused = fields.boolean_or("paused", false);
  playback.rate = fields.number_or("rate", 0, kMaxPlaybackValue, 1);
  playback.loop = fields.boolean_or("loop", false);
  if (fields.has("volume")) playback.volume = fields.number("volume", 0, 1);
  playback.live = fields.boolean_or("live", false);
  playback.ended = fields.boolean_or("ended", false);
  if (fields.has("page")) {
    playback.page = static_cast<int>(fields.integer("page", 1, kMaxPages));
    playback.pages = static_cast<int>(fields.integer("pages", playback.page, kMaxPages));
  }
  return playback;
}

}  // namespace

Json to_json(const Playback& playback) {
  Json json = Json::object();
  write_playback(json, playback);
  return json;
}

Json to_json(const StreamPlayback& told) {
  Json json{{"stream", told.stream}};
  write_playback(json, told.playback);
  return json;
}

Result<StreamPlayback> stream_playback_from_json(const Json& params) {
  JsonFields fields(params, "playback");
  StreamPlayback told;
  told.stream = stream_number(fields, "stream");
  told.playback = read_playback(fields);
  return checked(fields, told);
}

}  // namespace sail
