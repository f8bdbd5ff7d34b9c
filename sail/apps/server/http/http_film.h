// Sends a film, or a part of it, to one HTTP client, as fast as the client and the storage allow.
// Only a few pieces are read ahead. Thread: the loop's.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sail/apps/server/http/http_conditions.h"
#include "sail/apps/server/playout/film_access.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"

namespace server {

class HttpFilm : public std::enable_shared_from_this<HttpFilm> {
 public:
  struct Sending {
    std::shared_ptr<sail::WebExchange> exchange;
    sail::WebAnswer answer;  // status and headers
    HttpPart part;
    std::shared_ptr<StreamBytes> bytes;
    double mb_per_s = 0;  // read rate needed; 0: unknown
    Promise promise;
    int64_t wait_timeout_s = 0;  // timeout for a client that does not read
  };
  // on_over: called once, not from within start().
  static std::shared_ptr<HttpFilm> start(sail::Loop& loop, Sending sending,
                                         std::function<void(const sail::Result<void>&)> on_over);
  // Closes the client's connection unless everything was sent.
  ~HttpFilm();
  HttpFilm(const HttpFilm&) = delete;
  HttpFilm& operator=(const HttpFilm&) = delete;

 private:
  struct Piece {
    std::vector<uint8_t> memory;
    std::span<uint8_t> bytes;  // empty: free
    bool there = false;
  };
  // Destination of the reads in flight, which may outlive the HttpFilm.
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
  uint64_t unread_ = 0;         // bytes not requested from the storage yet
  size_t read_next_ = 0;        // index in the ring
  size_t send_next_ = 0;        // index in the ring
  std::optional<size_t> sent_;  // the piece being sent
  bool wanted_ = false;         // the client is ready for more
};

}  // namespace server
