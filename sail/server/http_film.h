// A film, or a part of it, on its way to one HTTP client: as fast as that takes it and the storage
// gives it, with a few pieces read ahead and no more. Thread: the loop's.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sail/net/loop.h"
#include "sail/net/web_server.h"
#include "sail/server/film_access.h"
#include "sail/server/http_conditions.h"

namespace server {

class HttpFilm : public std::enable_shared_from_this<HttpFilm> {
 public:
  struct Sending {
    std::shared_ptr<sail::WebExchange> exchange;
    sail::WebAnswer answer;  // its head
    HttpPart part;
    std::shared_ptr<StreamBytes> bytes;
    double mb_per_s = 0;  // what it needs; 0: unknown
    Promise promise;
    int64_t patience_s = 0;  // with a client that takes nothing
  };
  // on_over: once, not from within start().
  static std::shared_ptr<HttpFilm> start(sail::Loop& loop, Sending sending,
                                         std::function<void(const sail::Result<void>&)> on_over);
  // Before the client has all of it, the client's connection ends.
  ~HttpFilm();
  HttpFilm(const HttpFilm&) = delete;
  HttpFilm& operator=(const HttpFilm&) = delete;

 private:
  struct Piece {
    std::vector<uint8_t> memory;
    std::span<uint8_t> bytes;  // empty: nothing is in it or on its way to it
    bool there = false;
  };
  // What reads under way write into: they may outlive the film.
  struct Pieces {
    std::shared_ptr<StreamBytes> bytes;
    std::array<Piece, FilmStorage::kUsualDepth> ring;
    std::atomic<bool> unwanted{false};
  };

  HttpFilm(sail::Loop& loop, Sending sending,
           std::function<void(const sail::Result<void>&)> on_over);
  void read_ahead();
  void came(size_t place, const sail::Result<void>& read);
  void send();
  void over(const sail::Result<void>& how);

  sail::Loop& loop_;
  Sending sending_;
  std::function<void(const sail::Result<void>&)> on_over_;
  const std::shared_ptr<Pieces> pieces_;
  const size_t piece_bytes_;
  uint64_t unread_ = 0;         // bytes that nobody was asked for yet
  size_t read_next_ = 0;        // places in the ring
  size_t send_next_ = 0;        // likewise
  std::optional<size_t> sent_;  // the piece that the client is taking
  bool wanted_ = false;         // by the client
};

}  // namespace server
