#include "sail/apps/server/film_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sail/apps/server/verbs.h"
#include "sail/core/base/headroom.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

using sail::ErrorCode;

// How often events of the walls are polled. libsail has no descriptor to wait for. A poll costs a
// microsecond and happens only while films play.
constexpr int64_t kPollMs = 10;
constexpr size_t kShownFilmBytes = 64 << 20;  // memory of read-ahead, pictures and threads
constexpr int64_t kMeasureMs = 500;

// The sum of the connected disk servers' peak rates; 0 (unknown) if one of them reported none or is
// still connecting.
double peak_of(const std::vector<sail::DiskLinks::Disk>& disks) {
  double mb_per_s = 0;
  for (const auto& disk : disks) {
    if (disk.coming || (disk.there && disk.peak_mb_per_s <= 0)) return 0;
    mb_per_s += disk.there ? disk.peak_mb_per_s : 0;
  }
  return mb_per_s;
}

// Disk servers that were lost or never reached.
std::set<std::string> away_of(const std::vector<sail::DiskLinks::Disk>& disks) {
  std::set<std::string> away;
  for (const auto& disk : disks) {
    if (!disk.there && !disk.coming) away.insert(disk.name);
  }
  return away;
}

}  // namespace

sail::Result<std::unique_ptr<FilmServer>> FilmServer::start(sail::Loop& loop,
                                                            FilmServerOptions options,
                                                            const sail::Log& log,
                                                            std::function<void()> on_ended) {
  std::unique_ptr<FilmServer> server(
      new FilmServer(loop, std::move(options), log, std::move(on_ended)));
  if (auto listening = server->service_.listen(server->options_.listen); !listening) {
    return listening.error();
  }
  return server;
}

FilmServer::FilmServer(sail::Loop& loop, FilmServerOptions options, const sail::Log& log,
                       std::function<void()> on_ended)
    : loop_(loop),
      options_(std::move(options)),
      log_(log),
      on_ended_(std::move(on_ended)),
      links_(std::make_shared<sail::DiskLinks>(sail::DiskLink::Options{.key = options_.key})),
      storage_(FilmStorage::create(
          [links = links_](const std::string& path) { return open_stored(path, links); })),
      catalogue_service_(
          loop, options_.library, options_.catalogue, options_.poster_program, log_,
          [links = links_](const std::string& path) { return open_stored(path, links); }),
      placer_(loop, options_.library, storage_, options_.disks, options_.key),
      service_(loop,
               {.access = {.server = "server", .key = options_.key},
                .when_in_use = "another vitrail-server may be running",
                .hello_ms = options_.hello_ms,
                .max_peers = options_.max_peers,
                .tls = options_.tls},
               film_verbs(*this),
               {.on_hello = [](const sail::ServicePeer&) { return sail::Json::object(); },
                .on_left = [this](const sail::ServicePeer& peer) { asker_left(peer.id()); }},
               log_),
      poll_(loop),
      measure_(loop) {
  if (options_.source_mb_per_s > 0) {
    peak_mb_per_s_ = options_.source_mb_per_s;
    storage_->set_peak(peak_mb_per_s_);
  } else {
    catalogue_service_.peak(false, [this](const sail::Result<double>& known) { take_peak(known); });
  }
}

FilmServer::~FilmServer() {
  storage_->stop();
}

// --- films ---------------------------------------------------------------------------------------

sail::Result<Film*> FilmServer::find(uint32_t number) {
  const auto it = films_.find(number);
  if (it == films_.end() || it->second.film->state() == FilmState::kEnding) {
    return sail::fail(
        ErrorCode::kNotFound,
        fmt::format("film {} is not playing: `films` lists the playing films", number));
  }
  return it->second.film.get();
}

std::vector<const Film*> FilmServer::films() const {
  std::vector<const Film*> films;
  films.reserve(films_.size());
  for (const auto& [number, playing] : films_) films.push_back(playing.film.get());
  return films;
}

void FilmServer::play(uint64_t asker, FilmRequest request, sail::RpcPeer::Reply reply) {
  if (ending_) {
    reply(sail::fail(ErrorCode::kUnavailable, "this server is shutting down"));
    return;
  }
  if (films_.size() >= options_.max_films) {
    reply(sail::fail(ErrorCode::kLimit,
                     fmt::format("{} films are already playing, the maximum of this server",
                                 options_.max_films)));
    return;
  }
  if (auto room = sail::ask_for_memory(kShownFilmBytes, "another film"); !room) {
    reply(room.error());
    return;
  }
  const uint32_t number = next_film_++;
  WallLink& wall = wall_at(request.manager);
  Playing& playing = films_[number];
  playing.wall = &wall;
  playing.asker = asker;
  playing.reply = std::move(reply);
  playing.stream = std::make_shared<Stream>();
  log_.info("film {}: playing '{}' on the wall of {}", number, request.title, request.manager);
  playing.film = std::make_unique<Film>(
      loop_, number, request,
      [library = options_.library, title = request.title, storage = storage_,
       stream = playing.stream](uint64_t& bytes) {
        bytes = library.bytes_of(title);
        using Bytes = std::unique_ptr<const sail::ByteSource>;
        return open_film(library, title, [&](const std::string& path) -> sail::Result<Bytes> {
          auto opened = storage->open(path, FilmStorage::kMostReads);
          if (!opened) return std::move(opened.error());
          stream->shares = (*opened)->shares();
          stream->number = (*opened)->number();
          return Bytes(std::move(*opened));
        });
      },
      wall, log_,
      Film::Handlers{
          .admit = [this, number] { return admit(number); },
          .on_opened = [this, number] { film_opened(number); },
          .on_finished = [this, number](
                             FilmEnd why,
                             const sail::Error& error) { film_finished(number, why, error); },
          .on_gone = [this, number] { loop_.post([this, number] { film_gone(number); }); }});
}

void FilmServer::film_opened(uint32_t number) {
  Playing& playing = films_.at(number);
  if (playing.reply) std::exchange(playing.reply, nullptr)(film_json(*playing.film));
}

void FilmServer::film_finished(uint32_t number, FilmEnd why, const sail::Error& error) {
  Playing& playing = films_.at(number);
  if (why == FilmEnd::kFailed) {
    log_.warning("film {}: {}", number, error.message);
  } else {
    log_.info("film {}: {}", number, end_name(why));
  }
  if (playing.reply) {
    const sail::Error told =
        why == FilmEnd::kFailed
            ? error
            : sail::Error{ErrorCode::kUnavailable,
                          fmt::format("the film was {} before its window opened", end_name(why))};
    std::exchange(playing.reply, nullptr)(told);
    return;
  }
  sail::ServicePeer* asker = service_.find(playing.asker);
  if (asker == nullptr) return;
  asker->rpc().notify("film_ended",
                      {{"film", number}, {"why", end_name(why)}, {"message", error.message}});
}

void FilmServer::asker_left(uint64_t asker) {
  for (auto& [number, playing] : films_) {
    if (playing.asker == asker && playing.film->request().attached) playing.film->stop();
  }
}

void FilmServer::film_gone(uint32_t number) {
  const WallLink* wall = films_.at(number).wall;
  films_.erase(number);
  leave_wall_if_unused(wall);
  end_if_done();
}

// --- storage and admission -----------------------------------------------------------------------

template <typename Do>
void FilmServer::for_each_need(const Do& act) const {
  for (const auto& [number, playing] : films_) {
    const Film& film = *playing.film;
    if (!film.admitted() || film.state() == FilmState::kEnding) continue;
    act(FilmNeed{film.mb_per_s(), film.best_effort(), playing.stream->shares});
  }
  for (const FilmNeed& need : elsewhere_.all()) act(need);
}

SourceLoad FilmServer::load_of(const std::string& disk) const {
  SourceLoad load{.peak_mb_per_s = peak_mb_per_s_,
                  .stated = options_.source_mb_per_s > 0,
                  .share = options_.share,
                  .disk = disk};
  const auto known = links_->disks();
  if (!disk.empty()) {
    const auto its = std::ranges::find(known, disk, &sail::DiskLinks::Disk::name);
    load.stated = false;
    load.peak_mb_per_s = its == known.end() ? 0 : its->peak_mb_per_s;
    storage_->set_peak_of(disk, load.peak_mb_per_s);
  }
  for_each_need([&, away = away_of(known)](const FilmNeed& need) {
    if (disk.empty() && need.shares.empty()) load.add(need.mb_per_s, !need.promised());
    const DiskShares rates = need.by_disk(away);
    if (rates.contains(disk)) load.add(rates.at(disk), !need.promised());
  });
  return load;
}

std::vector<FilmServer::DiskLoad> FilmServer::disks() const {
  std::vector<DiskLoad> all;
  for (sail::DiskLinks::Disk& disk : links_->disks()) all.push_back({disk, load_of(disk.name)});
  return all;
}

SourceLoad FilmServer::disks_load() const {
  SourceLoad load{.peak_mb_per_s = peak_of(links_->disks()), .share = options_.share};
  for_each_need([&load](const FilmNeed& need) {
    if (!need.shares.empty()) load.add(need.mb_per_s, !need.promised());
  });
  return load;
}

void FilmServer::take_peak(const sail::Result<double>& mb_per_s) {
  if (!mb_per_s)
    return log_.info("the total read rate of films is not limited: {}", mb_per_s.error().message);
  peak_mb_per_s_ = *mb_per_s;
  storage_->set_peak(peak_mb_per_s_);
  log_.info("storage reads up to {:.0f} MB/s, of which {:.0f} % may be reserved for films",
            *mb_per_s, options_.share * 100);
}

void FilmServer::measure(std::function<void(sail::Result<SourceLoad>)> answer) {
  if (options_.source_mb_per_s > 0) {
    return answer(sail::fail(ErrorCode::kConflict,
                             "the read rate is fixed by --source-rate and is not measured"));
  }
  catalogue_service_.peak(true,
                          [this, answer = std::move(answer)](const sail::Result<double>& measured) {
                            if (!measured) return answer(measured.error());
                            take_peak(measured);
                            answer(load());
                          });
}

sail::Result<void> FilmServer::admit(uint32_t number) {
  const Playing& playing = films_.at(number);
  const Film& film = *playing.film;
  auto admitted = admit_need(film.request().title,
                             {film.mb_per_s(), film.best_effort(), playing.stream->shares});
  if (admitted) claim(playing, film.mb_per_s());
  return admitted;
}

sail::Result<void> FilmServer::may_go_at(const Film& film, double rate) {
  const double more = film.mb_per_s_at(rate) - film.mb_per_s();
  const Playing& playing = films_.at(film.number());
  auto admitted =
      admit_need(film.request().title, {more, film.best_effort(), playing.stream->shares});
  if (admitted) claim(playing, film.mb_per_s_at(rate));
  return admitted;
}

sail::Result<void> FilmServer::admit_need(const std::string& title, const FilmNeed& need) const {
  if (!need.promised()) return {};
  if (need.shares.empty()) return server::admit(load(), title, need.mb_per_s);
  for (const auto& [disk, mb_per_s] : need.by_disk(away_of(links_->disks()))) {
    auto admitted = server::admit(load_of(disk), title, mb_per_s);
    if (!admitted) return admitted;
  }
  return {};
}

sail::Result<Promise> FilmServer::promise(const std::string& title, const FilmNeed& need) {
  if (auto admitted = admit_need(title, need); !admitted) return std::move(admitted.error());
  return elsewhere_.add(need);
}

void FilmServer::claim(const Playing& playing, double mb_per_s) {
  storage_->claim(playing.stream->number, claim_for(mb_per_s, playing.film->best_effort()));
}

FilmAccess FilmServer::access() {
  return {.library = options_.library,
          .storage = storage_,
          .find = [this](const std::string& title,
                         auto answer) { catalogue_service_.find(title, std::move(answer)); },
          .poster = [this](const std::string& title,
                           auto answer) { catalogue_service_.poster(title, std::move(answer)); },
          .promise = [this](const std::string& title,
                            const FilmNeed& need) { return promise(title, need); }};
}

void FilmServer::place(PlaceRequest request, CatalogueService::Answer<CatalogueEntry> answer) {
  const std::string title = request.title;
  placer_.place(std::move(request), [this, title,
                                     answer = std::move(answer)](const sail::Result<void>& placed) {
    if (!placed) {
      log_.warning("cannot place '{}' on disk servers: {}", title, placed.error().message);
      return answer(placed.error());
    }
    log_.info("'{}' is placed on disk servers", title);
    catalogue_service_.list_again();
    catalogue_service_.find(title, answer);
  });
}

// --- walls ---------------------------------------------------------------------------------------

WallLink& FilmServer::wall_at(const std::string& manager) {
  auto& wall = walls_[manager];
  if (!wall) wall = std::make_unique<WallLink>(loop_, manager, options_.max_films, log_);
  poll_.start(kPollMs, kPollMs, [this] { poll_walls(); });
  measure_.start(kMeasureMs, kMeasureMs, [this] {
    for (auto& [number, playing] : films_) playing.film->measure(sail::steady_now_ns());
  });
  return *wall;
}

void FilmServer::leave_wall_if_unused(const WallLink* wall) {
  const bool used = std::any_of(films_.begin(), films_.end(),
                                [&](const auto& playing) { return playing.second.wall == wall; });
  if (used) return;
  auto left = walls_.extract(wall->manager());
  leaving_.push_back(std::move(left.mapped()));
  leaving_.back()->end([this, wall] {
    std::erase_if(leaving_, [&](const auto& one) { return one.get() == wall; });
    end_if_done();
  });
  if (!walls_.empty()) return;
  poll_.stop();
  measure_.stop();
}

void FilmServer::poll_walls() {
  for (const auto& [manager, wall] : walls_) {
    while (const auto event = wall->poll()) obey(*wall, *event);
  }
}

void FilmServer::obey(const WallLink& wall, const sail_event& event) {
  for (auto& [number, playing] : films_) {
    if (playing.wall == &wall) playing.film->obey(event);
  }
}

// --- shutdown ------------------------------------------------------------------------------------

void FilmServer::shut_down() {
  if (std::exchange(ending_, true)) return;
  for (auto& [number, playing] : films_) playing.film->stop();
  end_if_done();
}

void FilmServer::end_if_done() {
  if (!ending_ || ended_ || !films_.empty() || !leaving_.empty()) return;
  ended_ = true;
  on_ended_();
}

}  // namespace server
