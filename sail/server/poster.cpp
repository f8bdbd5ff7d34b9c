#include "sail/server/poster.h"

#include <memory>
#include <utility>

#include "sail/media/film_poster.h"
#include "sail/media/media_source.h"

namespace server {
namespace {

sail::Result<std::unique_ptr<sail::Source>> open_any(const Library& library,
                                                     const std::string& title,
                                                     const std::function<bool()>& give_up,
                                                     const OpenBytes& open_bytes) {
  auto film = open_film(library, title, open_bytes);
  if (film || film.error().code != sail::ErrorCode::kUnavailable) return film;
  const auto path = library.find(title);
  if (!path) return path.error();
  sail::MediaOptions options;
  options.threads = 1;
  options.interrupted = give_up;
  if (is_placed(*path)) options.open = [&open_bytes, path = *path] { return open_bytes(path); };
  auto decoded = sail::MediaSource::open(is_placed(*path) ? "lors://" + *path : *path, options);
  if (!decoded) return decoded.error();
  return std::unique_ptr<sail::Source>(std::move(*decoded));
}

}  // namespace

sail::Result<std::string> make_poster(const Library& library, const std::string& title,
                                      const std::function<bool()>& give_up,
                                      const OpenBytes& open_bytes) {
  const auto film = open_any(library, title, give_up, open_bytes);
  if (!film) return film.error();
  const auto picture = sail::film_poster(**film, kPosterSize);
  if (!picture) return picture.error();
  const auto jpeg = sail::poster_jpeg(*picture, kMaxPosterBytes);
  if (!jpeg) return sail::fail(jpeg.error().code, title + ": " + jpeg.error().message);
  return std::string(jpeg->begin(), jpeg->end());
}

}  // namespace server
