#include "sail/apps/server/rtsp/rtp_films.h"

#include <filesystem>
#include <utility>

namespace server {

sail::Result<std::shared_ptr<SharedRtpFilm>> open_rtp_film(
    const FilmFiles& files, const std::string& title,
    const std::shared_ptr<std::atomic<bool>>& unwanted) {
  const auto path = files.library.find(title);
  if (!path) return path.error();
  std::error_code error;
  if (!std::filesystem::is_regular_file(*path, error)) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      title + ": a folder of numbered files cannot be sent by RTP");
  }
  auto shared = std::make_shared<SharedRtpFilm>();
  const SharedRtpFilm* own =
      shared.get();  // not a shared_ptr: `shared` owns the film and thus this callback
  auto bytes = files.storage->open(*path);
  const auto size = bytes ? (*bytes)->size() : sail::Result<uint64_t>(uint64_t{0});
  if (!bytes || !size) return sail::fail(sail::ErrorCode::kIo, "cannot read " + title);
  shared->stream = (*bytes)->number();
  shared->shares = (*bytes)->shares();
  auto film = sail::RtpFilm::open(std::move(*bytes), *path, title,
                                  [own, unwanted] { return own->unwanted || *unwanted; });
  if (!film) return film.error();
  shared->mb_per_s = needed_mb_per_s({.bytes = *size}, (*film)->duration_ns());
  shared->film = std::move(*film);
  return shared;
}

FilmPlaces::Place FilmPlaces::take(const std::string& network) {
  const auto known = by_network_.find(network);
  if (taken_ >= all_ || (known != by_network_.end() && known->second >= each_)) return nullptr;
  ++taken_;
  ++by_network_[network];
  return {this, [this, network](void*) { release(network); }};
}

void FilmPlaces::release(const std::string& network) {
  --taken_;
  const auto known = by_network_.find(network);
  if (--known->second == 0) by_network_.erase(known);
}

}  // namespace server
