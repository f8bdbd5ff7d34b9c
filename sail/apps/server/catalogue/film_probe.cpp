#include "sail/apps/server/catalogue/film_probe.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/media/film/stored_facts.h"
#include "sail/media/source/film_time.h"
#include "sail/media/storage/reading/fed_bytes.h"
#include "sail/media/vmov/vmov_source.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Result;

// Probe many films per run: starting the program takes as long as probing twenty.
constexpr size_t kMostOfRun = 256;

Result<FilmFacts> vmov_facts(std::unique_ptr<const sail::ByteSource> bytes, FilmFacts facts) {
  const auto film = sail::VmovSource::open(std::move(bytes));
  if (!film) return film.error();
  const auto picture = (*film)->next();
  if (!picture) return picture.error();
  if (!*picture) return sail::fail(ErrorCode::kBadData, "the film has no frames");
  const sail::SourceInfo& info = (*film)->info();
  facts.size = (*picture)->size;
  facts.duration_ns = info.duration_ns;
  facts.fps = sail::frames_a_second(info.rate);
  facts.playable = (*picture)->compressed.has_value();
  if (facts.playable) facts.codec = sail::codec_name((*picture)->compressed->codec);
  return facts;
}

FilmFacts with(FilmFacts facts, const sail::MediaFacts& told) {
  facts.size = told.size;
  facts.codec = told.codec;
  facts.duration_ns = told.duration_ns;
  facts.fps = told.fps;
  facts.playable = told.playable;
  facts.description = told.description;
  return facts;
}

sail::Error not_now(const sail::Error& why) {
  return sail::fail(ErrorCode::kIo, why.message);
}

FilmFacts unreadable(FilmFacts facts, std::string why) {
  facts.unreadable = std::move(why);
  return facts;
}

}  // namespace

struct FilmProbe::Run {
  Result<void> end;
  std::string output;
};

void FilmProbe::stop() {
  stopped_ = true;
  loop_.stop();
}

Result<FilmProbe::Found> FilmProbe::find(const std::string& title) const {
  auto path = library_.find(title);
  if (!path) return std::move(path.error());
  Found film{.title = title, .path = std::move(*path)};
  if (!is_placed(film.path)) return film;
  auto placement = placement_of(film.path);
  if (!placement) return std::move(placement.error());
  film.facts.placed_bytes = placement->bytes;
  film.facts.disks = std::move(placement->disks);
  return film;
}

Result<void> FilmProbe::inspect(const std::vector<std::string>& titles, const Learn& learn) {
  std::vector<Found> here;
  for (const std::string& title : titles) {
    if (stopped_) return {};
    auto film = find(title);
    if (!film) {
      learn(title, std::move(film.error()));
    } else if (is_placed(film->path) || is_vmov(*film)) {
      if (auto looked = inspect_elsewhere(*film, learn); !looked) return looked;
    } else {
      here.push_back(std::move(*film));
    }
  }
  return inspect(here, learn);
}

// A .vmov file that cannot be opened now must not be probed as another format.
bool FilmProbe::is_vmov(const Found& film) {
  return film.title.ends_with(".vmov") || (!is_placed(film.path) && sail::is_vmov_file(film.path));
}

// vitrail-poster gets the data of such a film through a ByteFeed.
Result<void> FilmProbe::inspect_elsewhere(const Found& film, const Learn& learn) {
  auto bytes = open_bytes_(film.path);
  if (bytes && is_vmov(film)) {
    auto facts = vmov_facts(std::move(*bytes), film.facts);
    if (!facts && !sail::has_descriptor_headroom()) return not_now(facts.error());
    learn(film.title, std::move(facts));
    return {};
  }
  auto feed = bytes ? sail::ByteFeed::start(std::move(*bytes)) : std::move(bytes.error());
  if (!feed) {
    if (!sail::has_descriptor_headroom()) return not_now(feed.error());
    learn(film.title, std::move(feed.error()));
    return {};
  }
  sail::ChildFiles files;
  files.handed = (*feed)->socket();
  const auto ended = run({"--stored", "--fed"}, {"lors://" + film.path}, files);
  if (!ended || stopped_) return ended.map([](const Run&) {});
  return learn_from(*ended, {&film, 1}, learn).map([](size_t) {});
}

Result<void> FilmProbe::inspect(std::span<const Found> films, const Learn& learn) {
  while (!films.empty()) {
    const auto some = films.first(std::min(films.size(), kMostOfRun));
    std::vector<std::string> paths;
    for (const Found& film : some) paths.push_back(film.path);
    const auto ended = run({"--stored"}, paths, {});
    if (!ended || stopped_) return ended.map([](const Run&) {});
    const auto told = learn_from(*ended, some, learn);
    if (!told) return told.error();
    films = films.subspan(*told);
  }
  return {};
}

Result<FilmProbe::Run> FilmProbe::run(const std::vector<std::string>& options,
                                      const std::vector<std::string>& paths,
                                      const sail::ChildFiles& files) {
  const auto ended = std::make_shared<std::optional<Run>>();
  const auto started = runs_.start(
      options, paths, paths.size() * sail::kMaxStoredFacts,
      [this, ended](const Result<void>& end, std::string_view output) {
        *ended = Run{end, std::string(output)};
        loop_.stop();
      },
      files);
  if (!started) return started.error();
  while (!*ended && !stopped_) loop_.run();
  return std::move(*ended).value_or(Run());
}

// The film that crashed the program is the first without a result. The next run begins with that
// film. If there is no result again, that film is the cause.
Result<size_t> FilmProbe::learn_from(const Run& run, std::span<const Found> films,
                                     const Learn& learn) const {
  size_t told = 0;
  std::string_view rest = run.output;
  for (size_t end = 0; told < films.size(); ++told) {
    end = rest.find('\n');
    if (end == std::string_view::npos) break;
    const auto facts = sail::read_stored_facts(rest.substr(0, end));
    const Found& film = films[told];
    if (!facts && facts.error().code == ErrorCode::kParseError) break;
    if (!facts && facts.error().code == ErrorCode::kLimit) {
      learn(film.title, unreadable(film.facts, facts.error().message));
    } else {
      learn(film.title, facts.map([&](const auto& known) { return with(film.facts, known); }));
    }
    rest.remove_prefix(end + 1);
  }
  if (told > 0) return told;
  if (run.end || run.end.error().code == ErrorCode::kBadData) {
    return sail::fail(ErrorCode::kUnavailable,
                      run.end ? "vitrail-poster returned no results" : run.end.error().message);
  }
  learn(films.front().title, unreadable(films.front().facts, run.end.error().message));
  return 1;
}

}  // namespace server
