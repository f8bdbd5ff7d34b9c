#include "sail/media/film/film_poster.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "codecs/picture/jpeg.h"
#include "codecs/picture/sampled_picture.h"
#include "sail/media/film/film_files.h"
#include "sail/media/source/picture_encoder.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/vmov/vmov_source.h"

namespace sail {
namespace {

constexpr int64_t kShortestNs = 1'000'000'000;   // shorter films are not seeked in
constexpr int64_t kFarthestNs = 60'000'000'000;  // limit for the first position
constexpr int kTries = 3;
constexpr double kBlack = 24;  // mean of all samples, 0 to 255; darker pictures count as black

double brightness(const SmallPicture& picture) {
  const auto sum = std::accumulate(picture.rgb.begin(), picture.rgb.end(), int64_t{0});
  return static_cast<double>(sum) / static_cast<double>(picture.rgb.size());
}

SmallPicture sampled(const Picture& picture, Size size) {
  if (!picture.compressed) return sampled(view_of(picture), size);
  const CompressedPicture& stored = *picture.compressed;
  const int columns = (picture.size.width + stored.block_size.width - 1) / stored.block_size.width;
  std::vector<size_t> begins{0};
  for (const uint32_t length : stored.lengths) begins.push_back(begins.back() + length);
  const auto block = [&](int column, int row) {
    const size_t number =
        static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column);
    return stored.bytes.subspan(begins[number], begins[number + 1] - begins[number]);
  };
  SmallPicture small = black(size);
  codecs::sample_blocks({.codec = stored.codec.id,
                         .compression = stored.codec.compression,
                         .color = stored.color,
                         .width = picture.size.width,
                         .height = picture.size.height,
                         .block_width = stored.block_size.width,
                         .block_height = stored.block_size.height,
                         .block = block},
                        size.width, size.height, small.rgb);
  return small;
}

SmallPicture small(const Picture& picture, Size bounds) {
  const Size most{std::min(bounds.width, picture.size.width),
                  std::min(bounds.height, picture.size.height)};
  return sampled(picture, fit(picture.display_size, most));
}

template <typename Film>
Result<std::unique_ptr<Source>> opened(Result<std::unique_ptr<Film>> film) {
  if (!film) return std::move(film.error());
  return std::unique_ptr<Source>(std::move(*film));
}

}  // namespace

Result<std::unique_ptr<Source>> open_film(const std::string& name, const FedFilm& fed) {
  if (is_vmov_file(name)) {
    if (!fed) return opened(VmovSource::open(name));
    auto bytes = fed();
    if (!bytes) return std::move(bytes.error());
    return opened(VmovSource::open(std::move(*bytes)));
  }
  if (!fed && is_stored_film(name)) return open_stored_film(name, {});
  // Each decoder thread would hold additional frames.
  MediaOptions options;
  options.threads = 1;
  // Combing artifacts disappear in a small picture, and the sandbox cannot load libavfilter.
  options.deinterlacing = Deinterlacing::kOff;
  options.open = fed;
  return open_decoded_film(name, options);
}

Result<SmallPicture> film_poster(Source& film, Size bounds) {
  const int64_t duration_ns = film.info().duration_ns;
  const int64_t step_ns = duration_ns < kShortestNs ? 0 : std::min(duration_ns / 10, kFarthestNs);
  std::optional<SmallPicture> best;
  for (int i = 1; i <= kTries && (!best || (step_ns > 0 && brightness(*best) < kBlack)); ++i) {
    // If seeking fails, reading continues or ends; then the best picture so far is used.
    if (step_ns > 0) static_cast<void>(film.seek(step_ns * (2 * i - 1)));
    auto picture = film.next();
    if (!picture) return picture.error();
    if (!*picture) break;
    SmallPicture found = small(**picture, bounds);
    if (!best || brightness(found) > brightness(*best)) best = std::move(found);
  }
  if (!best) return fail(ErrorCode::kBadData, "no frame could be decoded");
  return std::move(*best);
}

Result<SmallPicture> film_poster(const std::string& name, Size bounds, const FedFilm& fed) {
  const auto film = open_film(name, fed);
  if (!film) return film.error();
  auto poster = film_poster(**film, bounds);
  if (poster || poster.error().message.starts_with(name)) return poster;
  return fail(poster.error().code, name + ": " + poster.error().message);
}

Result<std::vector<uint8_t>> poster_jpeg(const SmallPicture& picture) {
  const auto pixels_of = [](Size size) {
    return static_cast<size_t>(size.width) * static_cast<size_t>(size.height);
  };
  const size_t most_bytes =
      std::max(kMaxPosterBytes, kMaxPosterBytes * pixels_of(picture.size) / pixels_of(kPosterSize));
  for (const int quality : {78, 50, 25}) {
    std::vector<uint8_t> jpeg =
        codecs::encode_jpeg(picture.rgb, picture.size.width, picture.size.height, quality);
    if (!jpeg.empty() && jpeg.size() <= most_bytes) return jpeg;
  }
  return fail(ErrorCode::kLimit, "cannot encode the poster");
}

}  // namespace sail
