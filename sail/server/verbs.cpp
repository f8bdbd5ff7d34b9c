#include "sail/server/verbs.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sail/media/player.h"
#include "sail/server/film_json.h"
#include "sail/server/film_server.h"
#include "sail/wire/limits.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Json;
using sail::JsonFields;
using sail::Result;
using Reply = sail::RpcPeer::Reply;

constexpr double kLongestTime = 1e8;  // seconds
constexpr double kMinFps = 0.01;
constexpr double kMaxFps = 1000;
constexpr size_t kMaxAddressBytes = 300;
constexpr size_t kPlaceNumbers = 4;

struct Call {
  FilmServer& server;
  const ControlSession& caller;
  const Json& params;
  const Reply& reply;
};

// --- play ----------------------------------------------------------------------------------------

// [x, y, width, height] or [x, y].
WindowPlace read_place(JsonFields& fields) {
  if (!fields.has("place")) return {};
  if (fields.array("place", kPlaceNumbers).size() == kPlaceNumbers) {
    return {fields.rect("place", sail::kMaxWindowOffset, sail::kMaxWindowSide)};
  }
  const auto [x, y] = fields.pair("place", -sail::kMaxWindowOffset, sail::kMaxWindowOffset);
  return {sail::Rect{x, y, 0, 0}};
}

bool same_manager(const sail::Address& a, const sail::Address& b) {
  return a == b || (a.port == b.port && sail::is_loopback(a.host) && sail::is_loopback(b.host));
}

// As the operator wrote it: what a client says only chooses among them.
std::string read_manager(JsonFields& fields, const std::vector<sail::Address>& managers) {
  if (!fields.has("manager")) return sail::address_text(managers.front());
  const auto named = sail::parse_address(fields.string("manager", kMaxAddressBytes),
                                         {"127.0.0.1", sail::kDefaultControlPort});
  if (!named) {
    fields.mistake("manager", "must be HOST:PORT");
    return {};
  }
  const auto known = std::ranges::find_if(
      managers, [&](const sail::Address& manager) { return same_manager(manager, *named); });
  if (known != managers.end()) return sail::address_text(*known);
  std::string texts;
  for (const sail::Address& manager : managers) {
    texts += (texts.empty() ? "" : ", ") + sail::address_text(manager);
  }
  fields.mistake("manager", fmt::format("is {}, and this server plays on the walls of {} only: its "
                                        "operator lists others with --manager",
                                        sail::address_text(*named), texts));
  return {};
}

// "server://HOST/TITLE": no other title is told of than the one that is played.
std::string read_url(JsonFields& fields, const std::string& title) {
  std::string url = fields.string_or("url", sail::kMaxContentBytes, "");
  const bool right = url.starts_with("server://") && url.ends_with('/' + title);
  if (!url.empty() && !right) fields.mistake("url", "must be server://HOST/ and the title");
  return url;
}

Result<PlayRequest> read_request(const Json& params, const std::vector<sail::Address>& managers) {
  JsonFields fields(params, "play");
  PlayRequest request;
  request.title = fields.raw_string("title", kMaxTitleBytes);
  request.window_title = fields.string_or("window_title", sail::kMaxTitleLength, "");
  request.manager = read_manager(fields, managers);
  request.url = read_url(fields, request.title);
  request.place = read_place(fields);
  request.loop = fields.boolean_or("loop", false);
  request.hold = fields.boolean_or("hold", false);
  request.paused = fields.boolean_or("paused", false);
  request.attached = fields.boolean_or("attached", false);
  request.start_s = fields.number_or("start_s", 0, kLongestTime, 0);
  request.rate = fields.number_or("rate", sail::kMinRate, sail::kMaxRate, 1);
  if (fields.has("fps")) request.fps = fields.number("fps", kMinFps, kMaxFps);
  request.transport = sail::read_fields<sail::TransportOptions>(fields);
  if (auto error = fields.finish()) return *error;
  return request;
}

void play(const Call& call) {
  auto request = read_request(call.params, call.server.options().managers);
  // What is no title is refused before a thread is started for it.
  const auto found =
      request ? call.server.options().library.find(request->title) : Result<std::string>("");
  if (!request) {
    call.reply(request.error());
  } else if (!found) {
    call.reply(found.error());
  } else {
    call.server.play(call.caller, std::move(*request), call.reply);
  }
}

// --- of a film that plays ------------------------------------------------------------------------

uint32_t film_number(JsonFields& fields) {
  return static_cast<uint32_t>(fields.integer("film", 1, std::numeric_limits<uint32_t>::max()));
}

// Reads what is left with read(fields), then does act(film), which is false while it is opening.
template <typename Read, typename Act>
void with_film(const Call& call, const char* verb, const Read& read, const Act& act) {
  JsonFields fields(call.params, verb);
  const uint32_t number = film_number(fields);
  const auto value = read(fields);
  if (auto error = fields.finish()) {
    call.reply(*error);
    return;
  }
  const auto film = call.server.find(number);
  if (!film) {
    call.reply(film.error());
  } else if (!act(**film, value)) {
    call.reply(sail::fail(ErrorCode::kConflict,
                          fmt::format("film {} is still being opened: ask again", number)));
  } else {
    call.reply(film_json(**film));
  }
}

bool nothing(JsonFields&) {
  return true;
}

void pause(const Call& call) {
  with_film(call, "pause", nothing, [](Film& film, bool) { return film.pause(); });
}

void resume(const Call& call) {
  with_film(call, "resume", nothing, [](Film& film, bool) { return film.resume(); });
}

void seek(const Call& call) {
  with_film(
      call, "seek", [](JsonFields& fields) { return fields.number("to_s", 0, kLongestTime); },
      [](Film& film, double to_s) { return film.seek(to_s); });
}

void rate(const Call& call) {
  with_film(
      call, "rate",
      [](JsonFields& fields) { return fields.number("rate", sail::kMinRate, sail::kMaxRate); },
      [](Film& film, double value) { return film.set_rate(value); });
}

void stop(const Call& call) {
  with_film(call, "stop", nothing, [](Film& film, bool) {
    film.stop();
    return true;
  });
}

// --- lists ---------------------------------------------------------------------------------------

void films(const Call& call) {
  JsonFields fields(call.params, "films");
  const std::optional<uint32_t> only =
      fields.has("film") ? std::optional(film_number(fields)) : std::nullopt;
  if (auto error = fields.finish()) {
    call.reply(*error);
    return;
  }
  Json list = Json::array();
  for (const Film* film : call.server.films()) {
    if (!only || *only == film->number()) list.push_back(film_json(*film));
  }
  call.reply(Json{{"films", std::move(list)}});
}

void titles(const Call& call) {
  JsonFields fields(call.params, "titles");
  TitlesRequest request;
  request.search = fields.string_or("search", kMaxTitleBytes, "");
  request.after = fields.string_or("after", kMaxTitleBytes, "");
  if (auto error = fields.finish()) {
    call.reply(*error);
    return;
  }
  call.server.librarian().list(std::move(request), [reply = call.reply](Result<Titles> found) {
    if (found) {
      reply(titles_json(*found));
    } else {
      reply(found.error());
    }
  });
}

using Verb = void (*)(const Call&);
constexpr std::array kNames = {"films",  "pause", "play", "rate",
                               "resume", "seek",  "stop", "titles"};
constexpr std::array<Verb, kNames.size()> kVerbs = {films,  pause, play, rate,
                                                    resume, seek,  stop, titles};

}  // namespace

std::span<const char* const> verbs() {
  return kNames;
}

void run_verb(FilmServer& server, const ControlSession& caller, const std::string& verb,
              const Json& params, const Reply& reply) {
  const auto it = std::find(kNames.begin(), kNames.end(), verb);
  if (it == kNames.end()) {
    reply(sail::fail(ErrorCode::kUnknownMethod, fmt::format("no verb '{}' here: there are {}", verb,
                                                            fmt::join(kNames, ", "))));
    return;
  }
  kVerbs[static_cast<size_t>(it - kNames.begin())]({server, caller, params, reply});
}

}  // namespace server
