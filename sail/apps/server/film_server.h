// The film server: plays films of its library on walls, for clients of the control connection.
// Compressed pictures go from storage to the receivers; none is decoded or encoded.
//
// Thread: the loop's. One more thread for the library, one per wall and one per film wait for disks
// and managers, so that the loop never blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/catalogue_service.h"
#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/playout/admission.h"
#include "sail/apps/server/playout/film.h"
#include "sail/apps/server/playout/film_access.h"
#include "sail/apps/server/playout/placer.h"
#include "sail/apps/server/playout/wall_link.h"
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
  double share = kUsualShare;  // of that rate that may be promised
  // Disk servers on which films may be placed. Films already placed are read from any disk server.
  std::vector<sail::Address> disks = {};
};

class FilmServer {
 public:
  // Listens. on_ended is called once, when shut_down() has completed; it must not destroy this
  // object.
  static sail::Result<std::unique_ptr<FilmServer>> start(sail::Loop& loop,
                                                         FilmServerOptions options,
                                                         const sail::Log& log,
                                                         std::function<void()> on_ended);
  // Waits for the reads in progress. All users of access() must be gone.
  ~FilmServer();
  FilmServer(const FilmServer&) = delete;
  FilmServer& operator=(const FilmServer&) = delete;

  sail::Address address() const { return service_.address(); }
  // For the RTSP and HTTP servers. Their films share the storage with those on walls.
  FilmAccess access();
  // Ends all films and closes their windows.
  void shut_down();

  // --- for film_verbs()
  const FilmServerOptions& options() const { return options_; }
  const sail::RpcService& service() const { return service_; }
  CatalogueService& catalogue_service() { return catalogue_service_; }
  // The film that plays, or kNotFound.
  sail::Result<Film*> find(uint32_t number);
  std::vector<const Film*> films() const;
  // The load of the folder.
  SourceLoad load() const { return load_of(""); }
  ReadFigures reading(Store store) const { return storage_->figures(store); }
  // The load of one disk server that has been used.
  struct DiskLoad {
    sail::DiskLinks::Disk disk;
    SourceLoad load;
  };
  std::vector<DiskLoad> disks() const;
  // The load of all disk servers together.
  SourceLoad disks_load() const;
  // Measures the folder's read rate again. kConflict: the operator has set it.
  void measure(std::function<void(sail::Result<SourceLoad>)> answer);
  // Checks whether a playing film may change to that rate. kBusy.
  sail::Result<void> may_go_at(const Film& film, double rate);
  // asker: id of a peer. reply is called when the film's window is open, or with the error.
  void play(uint64_t asker, FilmRequest request, sail::RpcPeer::Reply reply);
  // Copies a film to disk servers. answer: the film's new catalogue entry.
  void place(PlaceRequest request, CatalogueService::Answer<CatalogueEntry> answer);

 private:
  struct Stream {
    std::atomic<uint64_t> number{0};  // FilmStorage's stream number; 0: not open yet
    DiskShares shares;  // written by the opening thread; used by the loop once admitted
  };
  struct Playing {
    std::unique_ptr<Film> film;
    std::shared_ptr<Stream> stream;
    WallLink* wall = nullptr;
    uint64_t asker = 0;          // id of the control session
    sail::RpcPeer::Reply reply;  // empty once answered
  };
  FilmServer(sail::Loop& loop, FilmServerOptions options, const sail::Log& log,
             std::function<void()> on_ended);
  // Stops the attached films that this client requested.
  void asker_left(uint64_t asker);

  void take_peak(const sail::Result<double>& mb_per_s);
  sail::Result<void> admit(uint32_t number);
  sail::Result<void> admit_need(const std::string& title, const FilmNeed& need) const;
  sail::Result<Promise> promise(const std::string& title, const FilmNeed& need);
  // Calls act for each admitted stream.
  template <typename Do>
  void for_each_need(const Do& act) const;
  SourceLoad load_of(const std::string& disk) const;
  void claim(const Playing& playing, double mb_per_s);
  WallLink& wall_at(const std::string& manager);
  void film_opened(uint32_t number);
  void film_finished(uint32_t number, FilmEnd why, const sail::Error& error);
  void film_gone(uint32_t number);
  void leave_wall_if_unused(const WallLink* wall);
  void poll_walls();
  void obey(const WallLink& wall, const sail_event& event);
  void end_if_done();

  sail::Loop& loop_;
  const FilmServerOptions options_;
  const sail::Log log_;
  const std::function<void()> on_ended_;

  const std::shared_ptr<sail::DiskLinks> links_;
  const std::shared_ptr<FilmStorage> storage_;
  Promises elsewhere_;  // streams of the RTSP and HTTP servers
  CatalogueService catalogue_service_;
  Placer placer_;
  double peak_mb_per_s_ = 0;  // 0: unknown
  uint32_t next_film_ = 1;
  std::map<std::string, std::unique_ptr<WallLink>> walls_;  // by manager
  std::vector<std::unique_ptr<WallLink>> leaving_;
  std::map<uint32_t, Playing> films_;  // by number; includes those that are ending
  sail::RpcService service_;
  sail::Timer poll_;     // runs while there are walls
  sail::Timer measure_;  // runs while there are walls
  bool ending_ = false;
  bool ended_ = false;
};

}  // namespace server
