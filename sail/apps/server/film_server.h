// The film server: plays films of its library on walls, for clients of the control connection.
// Compressed pictures go from storage to the receivers; none is decoded or encoded.
//
// Thread: the loop's. One more thread for the library, one per wall and one per film wait for disks
// and managers, so that the loop never blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/catalogue_service.h"
#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/playout/film_access.h"
#include "sail/apps/server/playout/placer.h"
#include "sail/apps/server/playout/reservations.h"
#include "sail/apps/server/playout/wall_films.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"

namespace server {

struct FilmServerOptions {
  Library library;
  std::string catalogue = {};  // the catalogue's file; empty: kept in memory only
  std::string poster_program = "vitrail-poster";
  sail::Address listen{"127.0.0.1", sail::kDefaultFilmServerPort};
  // The only walls on which films may be played; they must prove this server's key. The first is
  // the default for `play`.
  std::vector<sail::Address> managers{{"127.0.0.1", sail::kDefaultControlPort}};
  sail::WallKey key = {};                    // as in RpcService::Options
  sail::TlsUse tls = sail::tls_use();        // for control connections
  int64_t hello_ms = sail::kHelloTimeoutMs;  // time limit for hello
  size_t max_peers = 256;
  size_t max_films = 64;
  double source_mb_per_s = 0;  // read rate of the storage; 0: measured
  double share = kUsualShare;  // part of that rate that may be promised
  // Disk servers on which films may be placed. Films already placed are read from any disk server.
  std::vector<sail::Address> disks = {};
};

class FilmServer : public FilmAccess {
 public:
  // Listens. on_ended is called once, when shut_down() has completed; it must not destroy this
  // object.
  static sail::Result<std::unique_ptr<FilmServer>> start(sail::Loop& loop,
                                                         FilmServerOptions options,
                                                         const sail::Log& log,
                                                         std::function<void()> on_ended);
  // Waits for the reads in progress. All users of the FilmAccess must be gone.
  ~FilmServer() override;

  sail::Address address() const { return service_.address(); }
  // Ends all films and closes their windows.
  void shut_down();

  // --- for the RTSP and HTTP servers, whose films share the storage with those on walls
  const FilmFiles& files() const override { return files_; }
  void find(const std::string& title, Answer<CatalogueEntry> answer) override;
  void poster(const std::string& title, Answer<std::string> answer) override;
  sail::Result<Promise> reserve(const std::string& title, const FilmNeed& need) override;

  // --- for film_verbs()
  const FilmServerOptions& options() const { return options_; }
  const sail::RpcService& service() const { return service_; }
  CatalogueService& catalogue_service() { return catalogue_service_; }
  WallFilms& wall_films() { return wall_films_; }
  const Reservations& reservations() const { return reservations_; }
  // Measures the folder's read rate again. kConflict: the operator has set it.
  void measure(Answer<void> answer);
  // Copies a film to disk servers. answer: the film's new catalogue entry.
  void place(PlaceRequest request, Answer<CatalogueEntry> answer);

 private:
  FilmServer(sail::Loop& loop, FilmServerOptions options, const sail::Log& log,
             std::function<void()> on_ended);
  void take_peak(const sail::Result<double>& mb_per_s);
  void film_ended(uint64_t client, uint32_t film, FilmEnd why, const sail::Error& error);

  const FilmServerOptions options_;
  const sail::Log log_;
  const std::function<void()> on_ended_;

  const std::shared_ptr<sail::DiskLinks> links_;
  const FilmFiles files_;
  Reservations reservations_;
  CatalogueService catalogue_service_;
  Placer placer_;
  WallFilms wall_films_;
  sail::RpcService service_;
};

// The verbs of the control connection, sorted by name. README.md is the normative text; a test
// compares the two. The server must outlive the verbs.
std::vector<sail::RpcVerb> film_verbs(FilmServer& server);

}  // namespace server
