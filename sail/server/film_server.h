// The film server: plays films of its library on walls, for whoever asks over the control
// connection. Compressed pictures go from storage to the receivers; none is decoded or encoded.
//
// Thread: the loop's. Beside it there is one thread for the library, one for each wall and one for
// each film, which wait for disks and managers so that the loop waits for nobody.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/rpc_service.h"
#include "sail/net/tcp.h"
#include "sail/server/admission.h"
#include "sail/server/film.h"
#include "sail/server/film_access.h"
#include "sail/server/librarian.h"
#include "sail/server/library.h"
#include "sail/server/placer.h"
#include "sail/server/wall_link.h"
#include "sail/wire/limits.h"

namespace server {

struct FilmServerOptions {
  Library library;
  std::string catalogue = {};  // the file that keeps what its films are; empty: it is not kept
  std::string poster_program = "vitrail-poster";
  sail::Address listen{"127.0.0.1", sail::kDefaultFilmServerPort};
  // The walls that may be played on, and no others: they are proved this server's key. The first
  // is the one when `play` names none.
  std::vector<sail::Address> managers{{"127.0.0.1", sail::kDefaultControlPort}};
  sail::WallKey key = {};                    // as RpcService::Options
  sail::TlsUse tls = sail::tls_use();        // of control connections
  int64_t hello_ms = sail::kHelloTimeoutMs;  // to say hello
  size_t max_peers = 256;
  size_t max_films = 64;
  double source_mb_per_s = 0;  // what films are read from gives that; 0: it is measured
  double share = kUsualShare;  // of it that may be promised
  // Where films may be placed. Those that are there already are read from wherever they lie.
  std::vector<sail::Address> disks = {};
};

class FilmServer {
 public:
  // Listens. on_ended comes once, after shut_down() has done all: not to destroy this in it.
  static sail::Result<std::unique_ptr<FilmServer>> start(sail::Loop& loop,
                                                         FilmServerOptions options,
                                                         const sail::Log& log,
                                                         std::function<void()> on_ended);
  // Waits for what is being read. Doors that have its access() are gone.
  ~FilmServer();
  FilmServer(const FilmServer&) = delete;
  FilmServer& operator=(const FilmServer&) = delete;

  sail::Address address() const { return service_.address(); }
  // For doors to other players, whose films are promised what is left by those on walls.
  FilmAccess access();
  // Ends all films: their windows leave the walls.
  void shut_down();

  // --- for the verbs
  const FilmServerOptions& options() const { return options_; }
  const sail::RpcService& service() const { return service_; }
  Librarian& librarian() { return librarian_; }
  // The film that plays, or kNotFound.
  sail::Result<Film*> find(uint32_t number);
  std::vector<const Film*> films() const;
  // What is promised to films of what they are read from.
  SourceLoad load() const { return load_of(""); }
  ReadFigures reading(Store store) const { return storage_->figures(store); }
  // Of each disk server that anything was read from.
  struct DiskLoad {
    sail::DiskLinks::Disk disk;
    SourceLoad load;
  };
  std::vector<DiskLoad> disks() const;
  // Of films that lie there, and what all disk servers give together.
  SourceLoad disks_load() const;
  // Measures anew how fast that is. kConflict: its operator has said it.
  void measure(std::function<void(sail::Result<SourceLoad>)> answer);
  // Whether the film, which plays, may go on at that rate. kLimit.
  sail::Result<void> may_go_at(const Film& film, double rate);
  // asker: a peer. reply comes when the film's window is open, or with why there is none.
  void play(uint64_t asker, FilmRequest request, sail::RpcPeer::Reply reply);
  // Copies a film to disk servers. answer: the film as it is listed then.
  void place(PlaceRequest request, Librarian::Answer<CatalogueEntry> answer);

 private:
  struct Stream {
    std::atomic<uint64_t> number{0};  // of the storage's; 0: not open yet
    DiskShares shares;                // the opening thread's; once it is admitted the loop's
  };
  struct Playing {
    std::unique_ptr<Film> film;
    std::shared_ptr<Stream> stream;
    WallLink* wall = nullptr;
    uint64_t asker = 0;          // session
    sail::RpcPeer::Reply reply;  // empty once answered
  };
  FilmServer(sail::Loop& loop, FilmServerOptions options, const sail::Log& log,
             std::function<void()> on_ended);
  // Films that it asked for and that are attached end with it.
  void asker_left(uint64_t asker);

  void take_peak(const sail::Result<double>& mb_per_s);
  sail::Result<void> admit(uint32_t number);
  sail::Result<void> admit_need(const std::string& title, const FilmNeed& need) const;
  sail::Result<Promise> promise(const std::string& title, const FilmNeed& need);
  // Of all streams that were admitted.
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
  Promises elsewhere_;  // of films that go to other players
  Librarian librarian_;
  Placer placer_;
  double peak_mb_per_s_ = 0;  // 0: unknown
  uint32_t next_film_ = 1;
  std::map<std::string, std::unique_ptr<WallLink>> walls_;  // by manager
  std::vector<std::unique_ptr<WallLink>> leaving_;
  std::map<uint32_t, Playing> films_;  // by number; also those that are ending
  sail::RpcService service_;
  sail::Timer poll_;     // while there are walls
  sail::Timer measure_;  // likewise
  bool ending_ = false;
  bool ended_ = false;
};

}  // namespace server
