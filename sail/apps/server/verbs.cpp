#include "sail/apps/server/film_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/playback.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Json;
using sail::JsonFields;
using sail::Result;
using sail::RpcCall;

constexpr double kLongestTime = 1e8;  // seconds
constexpr double kMinFps = 0.01;
constexpr double kMaxFps = 1000;
constexpr size_t kMaxAddressBytes = 300;
constexpr size_t kPlaceNumbers = 4;
constexpr size_t kLongestReason = 300;

// --- play ----------------------------------------------------------------------------------------

// Reads [x, y, width, height] or [x, y].
std::optional<sail::Rect> read_place(JsonFields& fields) {
  if (!fields.has("place")) return {};
  if (fields.array("place", kPlaceNumbers).size() == kPlaceNumbers) {
    return fields.rect("place", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  }
  const auto [x, y] = fields.pair("place", -sail::kMaxWindowOffset, sail::kMaxWindowOffset);
  return sail::Rect{x, y, 0, 0};
}

bool same_manager(const sail::Address& a, const sail::Address& b) {
  return a == b || (a.port == b.port && sail::is_loopback(a.host) && sail::is_loopback(b.host));
}

// Returns the manager's address as the operator wrote it: clients can only choose from the list.
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
                                        "operator can add walls with --manager",
                                        sail::address_text(*named), texts));
  return {};
}

// Reads "server://HOST/TITLE". The title must be the film's, so that no other title is revealed.
std::string read_url(JsonFields& fields, const std::string& title) {
  std::string url = fields.string_or("url", sail::kMaxContentBytes, "");
  const bool right = url.starts_with("server://") && url.ends_with('/' + title);
  if (!url.empty() && !right)
    fields.mistake("url", "must be server://HOST/TITLE with the film's title");
  return url;
}

FilmRequest read_request(JsonFields& fields, const std::vector<sail::Address>& managers) {
  FilmRequest request;
  request.title = fields.raw_string("title", kMaxTitleBytes);
  request.window_title = fields.string_or("window_title", sail::kMaxTitleLength, "");
  request.manager = read_manager(fields, managers);
  request.url = read_url(fields, request.title);
  request.place = read_place(fields);
  request.loop = fields.boolean_or("loop", false);
  request.hold = fields.boolean_or("hold", false);
  request.paused = fields.boolean_or("paused", false);
  request.attached = fields.boolean_or("attached", false);
  request.best_effort = fields.boolean_or("best_effort", false);
  request.start_s = fields.number_or("start_s", 0, kLongestTime, 0);
  request.rate = fields.number_or("rate", sail::kMinRate, sail::kMaxRate, 1);
  if (fields.has("fps")) request.fps = fields.number("fps", kMinFps, kMaxFps);
  request.transport = sail::read_fields<sail::TransportOptions>(fields);
  return request;
}

// --- answers -------------------------------------------------------------------------------------

double seconds(int64_t time_ns) {
  return static_cast<double>(time_ns) / 1e9;
}

const char* state_name(FilmState state) {
  switch (state) {
    case FilmState::kOpening:
      return "opening";
    case FilmState::kPlaying:
      return "playing";
    case FilmState::kPaused:
      return "paused";
    case FilmState::kEnding:
      return "ending";
  }
  return "";
}

Json film_json(const Film& film) {
  const Film::Figures figures = film.figures();
  const FilmRequest& request = film.request();
  return {{"film", film.number()},
          {"title", request.title},
          {"manager", request.manager},
          {"window", figures.window},
          {"state", state_name(film.state())},
          {"loop", film.loop()},
          {"attached", request.attached},
          {"size", sail::size_json(figures.size)},
          {"codec", figures.codec},
          {"position_s", seconds(figures.position_ns)},
          {"duration_s", seconds(figures.duration_ns)},
          {"rate", figures.rate},
          {"best_effort", film.best_effort()},
          {"mb_per_s", film.mb_per_s()},
          {"frames_sent", figures.frames_sent},
          {"frames_shown", figures.frames_shown},
          {"frames_dropped", figures.frames_dropped},
          {"fps_shown", figures.fps_shown},
          {"mbit_per_s", figures.mbit_per_s}};
}

Json source_json(const char* name, const SourceLoad& load, const ReadFigures& reading) {
  return {{"source", name},
          {"peak_mb_per_s", load.peak_mb_per_s},
          {"stated", load.stated},
          {"share", load.share},
          {"admitted_films", load.admitted_films},
          {"admitted_mb_per_s", load.admitted_mb_per_s},
          {"best_effort_films", load.best_effort_films},
          {"best_effort_mb_per_s", load.best_effort_mb_per_s},
          {"read_mb_per_s", reading.mb_per_s},
          {"late_reads", reading.late_reads},
          {"best_effort_share", reading.best_effort_share}};
}

Json title_json(const CatalogueEntry& entry) {
  const FilmFacts facts = entry.facts.value_or(FilmFacts());
  Json json = {{"title", entry.title},
               {"size", sail::size_json(facts.size)},
               {"codec", facts.codec},
               {"duration_s", seconds(facts.duration_ns)},
               {"fps", facts.fps},
               {"bytes", entry.film_bytes()},
               {"mb_per_s", needed_mb_per_s({.bytes = entry.film_bytes()}, facts.duration_ns)},
               {"playable", facts.playable},
               {"tags", entry.tags},
               {"disks", facts.disks}};
  sail::write_fields(json, facts.description);
  if (!facts.unreadable.empty()) json["unreadable"] = facts.unreadable;
  return json;
}

Json titles_json(const Titles& titles) {
  Json list = Json::array();
  for (const CatalogueEntry& entry : titles.entries) list.push_back(title_json(entry));
  Json json{{"titles", std::move(list)}, {"more", titles.more}};
  for (const auto& [name, why] : titles.left_out) {
    json["left_out"].push_back({{"name", sail::make_plain_text(name, kMaxTitleBytes)},
                                {"why", sail::make_plain_text(why, kLongestReason)}});
  }
  return json;
}

// --- commands to a playing film ------------------------------------------------------------------

uint32_t film_number(JsonFields& fields) {
  return static_cast<uint32_t>(fields.integer("film", 1, std::numeric_limits<uint32_t>::max()));
}

// Reads the remaining arguments with read(fields), then calls act(film, value): a Result<bool>,
// false while the film is still being opened.
template <typename Read, typename Act>
std::function<void(const RpcCall&)> to_film(WallFilms& films, Read read, Act act) {
  return sail::with_arguments(
      [read](JsonFields& fields) {
        const uint32_t number = film_number(fields);
        return std::pair(number, read(fields));
      },
      [&films, act](const RpcCall&, const auto& arguments) -> Result<Json> {
        const auto film = films.find(arguments.first);
        if (!film) return film.error();
        const Result<bool> done = act(**film, arguments.second);
        if (!done) return done.error();
        if (*done) return film_json(**film);
        return sail::fail(
            ErrorCode::kConflict,
            fmt::format("film {} is still being opened: try again later", arguments.first));
      });
}

// --- lists ---------------------------------------------------------------------------------------

std::optional<uint32_t> read_films(JsonFields& fields) {
  return fields.has("film") ? std::optional(film_number(fields)) : std::nullopt;
}

Json films_json(const WallFilms& films, std::optional<uint32_t> only) {
  Json list = Json::array();
  for (const Film* film : films.all()) {
    if (!only || *only == film->number()) list.push_back(film_json(*film));
  }
  return {{"films", std::move(list)}};
}

Json sources_json(const Reservations& reservations) {
  const FilmStorage& storage = reservations.storage();
  Json list =
      Json::array({source_json("films", reservations.folder(), storage.figures(Store::kFolder))});
  Json disks = Json::array();
  for (const auto& [disk, its_load] : reservations.disks()) {
    disks.push_back({{"disk", disk.name},
                     {"there", disk.there},
                     {"peak_mb_per_s", disk.peak_mb_per_s},
                     {"admitted_mb_per_s", its_load.admitted_mb_per_s},
                     {"best_effort_mb_per_s", its_load.best_effort_mb_per_s},
                     {"free_bytes", disk.free_bytes}});
  }
  if (!disks.empty()) {
    list.push_back(source_json("disks", reservations.all_disks(), storage.figures(Store::kDisks)));
    list.back()["disks"] = std::move(disks);
  }
  return {{"sources", std::move(list)}};
}

PlaceRequest read_placing(JsonFields& fields) {
  constexpr int kMostDisks = 256;
  return {.title = fields.raw_string("title", kMaxTitleBytes),
          .stripe = static_cast<size_t>(fields.integer_or("stripe", 1, kMostDisks, 0)),
          .copies = static_cast<size_t>(fields.integer_or("copies", 1, kMostDisks, 1))};
}

TitlesRequest read_titles(JsonFields& fields) {
  return {.search = fields.string_or("search", kMaxTitleBytes, ""),
          .after = fields.string_or("after", kMaxTitleBytes, ""),
          .playable = fields.boolean_or("playable", false)};
}

struct Tags {
  std::string title;
  std::vector<std::string> tags;
};

Tags read_tags(JsonFields& fields) {
  Tags wanted{fields.raw_string("title", kMaxTitleBytes), {}};
  for (const Json& tag : fields.array("tags", kMaxTags)) {
    const auto* text = tag.get_ptr<const std::string*>();
    if (text == nullptr || text->empty() || text->size() > kMaxTagBytes ||
        sail::name_mistake(*text)) {
      fields.mistake("tags", fmt::format("must contain tags of 1 to {} bytes", kMaxTagBytes));
      break;
    }
    wanted.tags.push_back(*text);
  }
  return wanted;
}

// --- verbs ---------------------------------------------------------------------------------------

using sail::no_arguments;
using sail::with_arguments;
using Verbs = std::vector<sail::RpcVerb>;

Verbs verbs_of_playing(FilmServer& server) {
  WallFilms& films = server.wall_films();
  const auto read_play = [&server](JsonFields& fields) {
    return read_request(fields, server.options().managers);
  };
  const auto play = [&server, &films](const RpcCall& call, FilmRequest request) {
    // Refuse an unknown title before a thread is started for it.
    const auto found = server.options().library.find(request.title);
    if (!found) return call.reply(found.error());
    films.play(call.peer.id(), std::move(request),
               [reply = call.reply](const Result<const Film*>& film) {
                 reply(film.map([](const Film* playing) { return film_json(*playing); }));
               });
  };
  const auto read_rate = [](JsonFields& fields) {
    return fields.number("rate", sail::kMinRate, sail::kMaxRate);
  };
  const auto read_time = [](JsonFields& fields) { return fields.number("to_s", 0, kLongestTime); };
  const auto stop = [](Film& film, auto) {
    film.stop();
    return true;
  };
  return {
      {.name = "films",
       .ui = sail::Right::kViewer,
       .run = with_arguments(read_films,
                             [&films](const RpcCall&, std::optional<uint32_t> only) {
                               return films_json(films, only);
                             })},
      {.name = "pause",
       .ui = sail::Right::kProgram,
       .run = to_film(films, no_arguments, [](Film& film, auto) { return film.pause(); })},
      {.name = "play", .ui = sail::Right::kProgram, .run = with_arguments(read_play, play)},
      {.name = "rate",
       .ui = sail::Right::kProgram,
       .run =
           to_film(films, read_rate, [](Film& film, double rate) { return film.set_rate(rate); })},
      {.name = "resume",
       .ui = sail::Right::kProgram,
       .run = to_film(films, no_arguments, [](Film& film, auto) { return film.resume(); })},
      {.name = "seek",
       .ui = sail::Right::kProgram,
       .run = to_film(films, read_time, [](Film& film, double to_s) { return film.seek(to_s); })},
      {.name = "stop", .ui = sail::Right::kProgram, .run = to_film(films, no_arguments, stop)}};
}

Verbs verbs_of_catalogue(CatalogueService& catalogue) {
  const auto read_title = [](JsonFields& fields) {
    return fields.raw_string("title", kMaxTitleBytes);
  };
  const auto titles = [&catalogue](const RpcCall& call, TitlesRequest request) {
    catalogue.list(std::move(request), [reply = call.reply](const Result<Titles>& found) {
      reply(found.map(titles_json));
    });
  };
  const auto tag = [&catalogue](const RpcCall& call, Tags wanted) {
    catalogue.set_tags(
        std::move(wanted.title), std::move(wanted.tags),
        [reply = call.reply](const Result<CatalogueEntry>& now) { reply(now.map(title_json)); });
  };
  const auto poster = [&catalogue](const RpcCall& call, std::string title) {
    catalogue.poster(std::move(title), [reply = call.reply](const Result<std::string>& jpeg) {
      reply(jpeg.map([](const std::string& bytes) {
        return Json{{"jpeg", sail::base64_text(bytes)}};
      }));
    });
  };
  return {
      {.name = "poster", .ui = sail::Right::kViewer, .run = with_arguments(read_title, poster)},
      {.name = "tag", .ui = sail::Right::kOperator, .run = with_arguments(read_tags, tag)},
      {.name = "titles", .ui = sail::Right::kViewer, .run = with_arguments(read_titles, titles)}};
}

Verbs verbs_of_storage(FilmServer& server) {
  const Reservations& reservations = server.reservations();
  const auto measure = [&server, &reservations](const RpcCall& call, auto) {
    server.measure([&reservations, reply = call.reply](const Result<void>& measured) {
      reply(measured.map([&reservations] { return sources_json(reservations); }));
    });
  };
  const auto place = [&server](const RpcCall& call, PlaceRequest wanted) {
    server.place(std::move(wanted), [reply = call.reply](const Result<CatalogueEntry>& placed) {
      reply(placed.map(title_json));
    });
  };
  return {
      {.name = "measure",
       .ui = sail::Right::kOperator,
       .run = with_arguments(no_arguments, measure)},
      {.name = "place", .ui = sail::Right::kOperator, .run = with_arguments(read_placing, place)},
      {.name = "sources",
       .ui = sail::Right::kViewer,
       .run = with_arguments(no_arguments, [&reservations](const RpcCall&, auto) -> Result<Json> {
         return sources_json(reservations);
       })}};
}

}  // namespace

std::vector<sail::RpcVerb> film_verbs(FilmServer& server) {
  Verbs all = verbs_of_playing(server);
  for (Verbs some : {verbs_of_catalogue(server.catalogue_service()), verbs_of_storage(server)}) {
    std::ranges::move(some, std::back_inserter(all));
  }
  std::ranges::sort(all, {}, [](const auto& verb) { return std::string_view(verb.name); });
  return all;
}

}  // namespace server
