#include "sail/apps/wall_window.h"

#include <utility>

namespace sail {
namespace {

sail_rect fit_into(const sail_rect& rect, Size picture) {
  const Size size = fit(picture, {rect.width, rect.height});
  return {rect.x + (rect.width - size.width) / 2, rect.y + (rect.height - size.height) / 2,
          size.width, size.height};
}

sail_status submit(Stream& stream, const Picture& picture) {
  if (!picture.compressed) {
    sail_frame pixels = picture.pixels;
    pixels.release = nullptr;  // the picture does that
    return stream.submit(pixels);
  }
  const CompressedPicture& blocks = *picture.compressed;
  const sail_encoded_frame frame{blocks.bytes.data(),
                                 blocks.bytes.size(),
                                 blocks.lengths.data(),
                                 blocks.lengths.size(),
                                 static_cast<sail_color_matrix>(blocks.color.matrix),
                                 static_cast<sail_color_range>(blocks.color.range)};
  return stream.submit(frame);
}

}  // namespace

WallWindow::WallWindow(Session& session, const BplayOptions& options)
    : session_(session), options_(options), wanted_codec_(options.codec) {}

std::string WallWindow::codec_for(const Picture& picture) const {
  return picture.compressed ? codec_name(picture.compressed->codec) : wanted_codec_;
}

Result<sail_status> WallWindow::show(const Picture& picture) {
  if (!fits(picture)) {
    auto opened = open_for(picture);
    if (!opened) return opened.error();
  }
  const sail_status status = submit(stream_, picture);
  if (status == SAIL_INVALID)
    return fail(ErrorCode::kInternal, "libsail does not take the picture");
  return status;
}

void WallWindow::tell(const sail_playback& playback) {
  if (stream_) stream_.set_playback(playback);
}

bool WallWindow::fits(const Picture& picture) const {
  return stream_ && picture.size == size_ && codec_for(picture) == codec_;
}

Result<void> WallWindow::open_for(const Picture& picture) {
  const sail_rect place = place_for(picture);
  auto opened = open_at(picture, place);
  if (!opened) return opened.error();
  stream_ = std::move(*opened);
  size_ = picture.size;
  codec_ = codec_for(picture);
  if (place.width > 0 || picture.display_size == picture.size) return {};

  // The manager has chosen a place for square pixels, and these are not.
  const sail_rect chosen = stream_.window();
  if (chosen.width <= 0 || chosen.height <= 0) return {};
  opened = open_at(picture, fit_into(chosen, picture.display_size));
  if (!opened) return opened.error();
  stream_ = std::move(*opened);
  return {};
}

Result<Stream> WallWindow::open_at(const Picture& picture, const sail_rect& place) {
  const std::string codec = codec_for(picture);
  sail_stream_options stream{};
  stream.title = title_.c_str();
  stream.width = picture.size.width;
  stream.height = picture.size.height;
  stream.codec = codec.c_str();
  if (picture.compressed) {
    stream.encoded = 1;
    stream.block_width = picture.compressed->block_size.width;
    stream.block_height = picture.compressed->block_size.height;
    stream.max_reduction = picture.compressed->max_reduction;
  }
  stream.place = place;
  stream.replaces = stream_.get();
  const double fps_of_film =
      picture.duration_ns > 0 ? 1e9 / static_cast<double>(picture.duration_ns) : 0;
  stream.fps = options_.fps.value_or(fps_of_film);
  stream.wait_when_full = options_.fps && *options_.fps == 0 ? 1 : 0;
  const TransportOptions& way = options_.transport;
  stream.transport = way.transport ? transport_name(*way.transport) : nullptr;
  stream.delay_ms = way.delay_ms == 0 ? SAIL_NO_DELAY : way.delay_ms.value_or(0);
  stream.mtu = way.mtu.value_or(0);
  stream.takes_input = 1;
  std::vector<const char*> media;
  for (const std::string& name : media_) media.push_back(name.c_str());
  const sail_content content{media.data(), media.size(), "bplay", loop_ ? 1 : 0};
  if (!media.empty()) stream.content = &content;
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
