#include "sail/apps/wall_window.h"

#include <utility>

namespace sail {
namespace {

sail_rect fit_into(const sail_rect& rect, Size picture) {
  const Size size = fit(picture, {rect.width, rect.height});
  return {rect.x + (rect.width - size.width) / 2, rect.y + (rect.height - size.height) / 2,
          size.width, size.height};
}

}  // namespace

WallWindow::WallWindow(Session& session, const BplayOptions& options)
    : session_(session), options_(options) {}

Result<sail_status> WallWindow::show(Picture& picture) {
  if (!stream_ || picture.size != size_) {
    auto opened = open_for(picture);
    if (!opened) return tl::make_unexpected(opened.error());
  }
  const sail_status status = stream_.submit(picture.pixels);
  if (status >= 0) picture.handed_over();
  if (status == SAIL_INVALID)
    return fail(ErrorCode::kInternal, "libsail does not take the picture");
  return status;
}

Result<void> WallWindow::open_for(const Picture& picture) {
  const sail_rect place = place_for(picture);
  stream_.close();
  auto opened = open_at(picture.size, place);
  if (!opened) return tl::make_unexpected(opened.error());
  stream_ = std::move(*opened);
  size_ = picture.size;
  if (place.width > 0 || picture.display_size == picture.size) return {};

  // The manager has chosen a place for square pixels, and these are not.
  const sail_rect chosen = stream_.window();
  if (chosen.width <= 0 || chosen.height <= 0) return {};
  stream_.close();
  opened = open_at(picture.size, fit_into(chosen, picture.display_size));
  if (!opened) return tl::make_unexpected(opened.error());
  stream_ = std::move(*opened);
  return {};
}

Result<Stream> WallWindow::open_at(Size size, const sail_rect& place) {
  sail_stream_options stream{};
  stream.title = title_.c_str();
  stream.width = size.width;
  stream.height = size.height;
  stream.codec = options_.codec.c_str();
  stream.place = place;
  stream.wait_when_full = options_.fps && *options_.fps == 0 ? 1 : 0;
  std::string error;
  Stream opened = session_.open(stream, &error);
  if (!opened) return fail(ErrorCode::kUnavailable, "cannot open a window: " + error);
  return opened;
}

sail_rect WallWindow::place_for(const Picture& picture) const {
  if (stream_) {
    const sail_rect former = stream_.window();
    if (former.width > 0 && former.height > 0) return fit_into(former, picture.display_size);
  }
  if (!options_.place) return {};
  const Rect& place = *options_.place;
  if (!place.empty()) return {place.x, place.y, place.width, place.height};
  return {place.x, place.y, picture.display_size.width, picture.display_size.height};
}

}  // namespace sail
