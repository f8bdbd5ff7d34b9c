#include "sail/apps/server/playout/film_reads.h"

#include <utility>

#include "sail/apps/server/catalogue/catalogue.h"

namespace server {

sail::Result<std::unique_ptr<sail::Source>> FilmReads::open() {
  using Bytes = std::unique_ptr<const sail::ByteSource>;
  bytes_ = library_.bytes_of(title_);
  return open_film(library_, title_, [this](const std::string& path) -> sail::Result<Bytes> {
    auto opened = reservations_.storage().open(path, FilmStorage::kMostReads);
    if (!opened) return std::move(opened.error());
    shares_ = (*opened)->shares();
    stream_ = (*opened)->number();
    return Bytes(std::move(*opened));
  });
}

sail::Result<void> FilmReads::reserve(int64_t duration_ns, double rate) {
  mb_per_s_ = needed_mb_per_s({.bytes = bytes_}, duration_ns);
  auto promise = reservations_.reserve(title_, {mb_per_s(rate), best_effort(), shares_, stream_});
  if (!promise) return std::move(promise.error());
  promise_ = std::move(*promise);
  return {};
}

sail::Result<void> FilmReads::change(double rate) {
  if (!promise_) return {};
  return reservations_.change(title_, *promise_, mb_per_s(rate));
}

void FilmReads::note(double rate) {
  if (promise_) promise_->mb_per_s = mb_per_s(rate);
}

}  // namespace server
