#include "sail/apps/server/film_json.h"

namespace server {
namespace {

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

}  // namespace

const char* end_name(FilmEnd why) {
  switch (why) {
    case FilmEnd::kEnded:
      return "ended";
    case FilmEnd::kClosed:
      return "closed";
    case FilmEnd::kStopped:
      return "stopped";
    case FilmEnd::kFailed:
      return "failed";
  }
  return "";
}

sail::Json film_json(const Film& film) {
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

sail::Json source_json(const char* name, const SourceLoad& load, const ReadFigures& reading) {
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

sail::Json title_json(const CatalogueEntry& entry) {
  const FilmFacts facts = entry.facts.value_or(FilmFacts());
  sail::Json json = {
      {"title", entry.title},
      {"size", sail::size_json(facts.size)},
      {"codec", facts.codec},
      {"duration_s", seconds(facts.duration_ns)},
      {"fps", facts.fps},
      {"bytes", entry.film_bytes()},
      {"mb_per_s", needed_mb_per_s({.bytes = entry.film_bytes()}, facts.duration_ns)},
      {"playable", facts.playable},
      {"tags", entry.tags},
      {"disks", facts.disks}};
  if (!facts.unreadable.empty()) json["unreadable"] = facts.unreadable;
  return json;
}

sail::Json titles_json(const Titles& titles) {
  sail::Json list = sail::Json::array();
  for (const CatalogueEntry& entry : titles.entries) list.push_back(title_json(entry));
  return {{"titles", std::move(list)}, {"more", titles.more}};
}

}  // namespace server
