#include "sail/apps/server/film_server.h"

#include <utility>

namespace server {
namespace {

using sail::ErrorCode;

OpenBytes opener(const std::shared_ptr<sail::DiskLinks>& links) {
  return [links](const std::string& path) { return open_stored(path, links); };
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
    : options_(std::move(options)),
      log_(log),
      on_ended_(std::move(on_ended)),
      links_(std::make_shared<sail::DiskLinks>(sail::DiskLink::Options{.key = options_.key})),
      files_{options_.library, FilmStorage::create(opener(links_))},
      reservations_(files_.storage, links_, options_.source_mb_per_s, options_.share),
      catalogue_service_(loop, options_.library, options_.catalogue, options_.poster_program, log_,
                         opener(links_)),
      placer_(loop, options_.library, files_.storage, options_.disks, options_.key),
      wall_films_(loop, options_.library, reservations_, options_.max_films, log_,
                  [this](uint64_t client, uint32_t film, FilmEnd why, const sail::Error& error) {
                    film_ended(client, film, why, error);
                  }),
      service_(loop,
               {.access = {.server = "server", .key = options_.key},
                .when_in_use = "another vitrail-server may be running",
                .hello_ms = options_.hello_ms,
                .max_peers = options_.max_peers,
                .tls = options_.tls},
               film_verbs(*this),
               {.on_hello = [](const sail::ServicePeer&) { return sail::Json::object(); },
                .on_left =
                    [this](const sail::ServicePeer& peer) { wall_films_.client_left(peer.id()); }},
               log_) {
  if (options_.source_mb_per_s > 0) return;
  catalogue_service_.peak(false, [this](const sail::Result<double>& known) { take_peak(known); });
}

FilmServer::~FilmServer() {
  files_.storage->stop();
}

void FilmServer::shut_down() {
  wall_films_.shut_down(on_ended_);
}

void FilmServer::film_ended(uint64_t client, uint32_t film, FilmEnd why, const sail::Error& error) {
  sail::ServicePeer* peer = service_.find(client);
  if (peer == nullptr) return;
  peer->rpc().notify("film_ended",
                     {{"film", film}, {"why", end_name(why)}, {"message", error.message}});
}

// --- for servers of films for players ------------------------------------------------------------

void FilmServer::find(const std::string& title, Answer<CatalogueEntry> answer) {
  catalogue_service_.find(title, std::move(answer));
}

void FilmServer::poster(const std::string& title, Answer<std::string> answer) {
  catalogue_service_.poster(title, std::move(answer));
}

sail::Result<Promise> FilmServer::reserve(const std::string& title, const FilmNeed& need) {
  return reservations_.reserve(title, need);
}

// --- storage -------------------------------------------------------------------------------------

void FilmServer::take_peak(const sail::Result<double>& mb_per_s) {
  if (!mb_per_s)
    return log_.info("the total read rate of films is not limited: {}", mb_per_s.error().message);
  reservations_.set_peak(*mb_per_s);
  log_.info("storage reads up to {:.0f} MB/s, of which {:.0f} % may be reserved for films",
            *mb_per_s, options_.share * 100);
}

void FilmServer::measure(Answer<void> answer) {
  if (options_.source_mb_per_s > 0) {
    return answer(sail::fail(ErrorCode::kConflict,
                             "the read rate is fixed by --source-rate and is not measured"));
  }
  catalogue_service_.peak(true,
                          [this, answer = std::move(answer)](const sail::Result<double>& measured) {
                            if (!measured) return answer(measured.error());
                            take_peak(measured);
                            answer({});
                          });
}

void FilmServer::place(PlaceRequest request, Answer<CatalogueEntry> answer) {
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

}  // namespace server
