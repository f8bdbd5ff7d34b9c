#include <fmt/core.h>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

namespace {

constexpr size_t kLongestName = 4096;
constexpr double kLatestStart = 1e7;  // seconds

// What is asked for: the media, or the source that stands for them.
struct Wanted {
  PlayRequest request;
  std::string source;
};

sail::Result<Wanted> read_request(const sail::Json& params) {
  sail::JsonFields fields(params, "play");
  Wanted wanted;
  PlayRequest& request = wanted.request;
  if (fields.has("source")) {
    wanted.source = fields.string("source", kLongestName);
    if (fields.has("media")) fields.mistake("media", "is not for 'source', which has its own");
  } else {
    request.media = read_media(fields);
  }
  if (fields.has("place")) {
    request.place = fields.rect("place", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  }
  if (fields.has("at")) {
    request.centre = fields.pair("at", -sail::kMaxWindowOffset / 2, sail::kMaxWindowOffset / 2);
  }
  if (fields.has("within")) {
    request.within = fields.rect("within", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  }
  const int places = int{request.place.has_value()} + int{request.within.has_value()} +
                     int{request.centre.has_value()};
  if (places > 1)
    fields.mistake("place", "is instead of 'within' and 'at', and they of each other");
  request.at_end = read_at_end(fields);
  if (fields.has("fps")) request.fps = fields.number("fps", 0.01, 1000);
  if (fields.has("start")) request.start_s = fields.number("start", 0, kLatestStart);
  if (fields.has("rate")) request.rate = fields.number("rate", kSlowest, kFastest);
  if (fields.has("volume")) request.volume = fields.number("volume", 0, 1);
  request.transport = sail::read_fields<sail::TransportOptions>(fields);
  if (auto error = fields.finish()) return *error;
  return wanted;
}

// Puts into the request what stands behind the source.
sail::Result<void> look_up(FsManager& manager, Wanted& wanted) {
  const Source* source = manager.sources().find(wanted.source);
  if (source == nullptr && wanted.source.starts_with("window/")) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "an application that runs is on the wall already: move its window");
  }
  if (source == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("there is no source '{}': `sources` lists them", wanted.source));
  }
  if (source->kind == SourceKind::kCommand) {
    wanted.request.command = command_name(*source);
  } else {
    wanted.request.media = {source->media};
  }
  return {};
}

void start(FsManager& manager, const PlayRequest& request, const Author& author,
           const Reply& reply) {
  manager.play(request, author, [reply](sail::Result<uint32_t> window) {
    if (window) {
      reply(sail::Json{{"window", *window}});
    } else {
      reply(window.error());
    }
  });
}

}  // namespace

void play(const Caller& caller, const sail::Json& params, const Reply& reply) {
  auto wanted = read_request(params);
  if (!wanted) {
    reply(wanted.error());
    return;
  }
  FsManager& manager = caller.manager;
  const Author author = manager.clients().author(caller.session.id());
  if (wanted->source.empty()) {
    start(manager, wanted->request, author, reply);
    return;
  }
  // The file may be newer than the list.
  manager.sources().refresh([&manager, author, wanted = *wanted, reply]() mutable {
    if (auto found = look_up(manager, wanted); !found) {
      reply(found.error());
    } else {
      start(manager, wanted.request, author, reply);
    }
  });
}

}  // namespace manager::verbs
