#include "sail/desk/desk_window.h"

#include <utility>

#include "sail/media/picture_spec.h"
#include "sail/wire/limits.h"

namespace sail {
namespace {

Rect fit_into(const Rect& rect, Size picture) {
  const Size size = fit(picture, {rect.width, rect.height});
  return {rect.x + (rect.width - size.width) / 2, rect.y + (rect.height - size.height) / 2,
          size.width, size.height};
}

// As much as the manager keeps, or nothing of it.
bool can_be_told(const std::vector<std::string>& media) {
  size_t bytes = 0;
  for (const std::string& one : media) bytes += one.size();
  return !media.empty() && media.size() <= kMaxContentMedia && bytes <= kMaxContentBytes;
}

}  // namespace

DeskWindow::DeskWindow(const DeskOptions& options, std::string program)
    : options_(options), program_(std::move(program)) {}

Result<void> DeskWindow::connect() {
  sail_session_options session{};
  session.name = program_.c_str();
  session.manager = options_.manager.empty() ? nullptr : options_.manager.c_str();
  session.encode_threads = options_.threads;
  session.quiet = 1;  // what matters comes as events
  std::string error;
  session_.emplace(session, &error);
  if (*session_) return {};
  session_.reset();
  return fail(ErrorCode::kUnavailable, error);
}

Result<void> DeskWindow::open(const Opening& opening) {
  const Rect place = place_for(opening);
  sail_stream_options stream{};
  stream.title = opening.title.c_str();
  stream.width = opening.size.width;
  stream.height = opening.size.height;
  stream.codec = options_.codec.c_str();
  stream.place = {place.x, place.y, place.width, place.height};
  stream.replaces = stream_.get();
  stream.fps = opening.fps;
  const TransportOptions& way = options_.transport;
  stream.transport = way.transport ? transport_name(*way.transport) : nullptr;
  stream.delay_ms = way.delay_ms == 0 ? SAIL_NO_DELAY : way.delay_ms.value_or(0);
  stream.mtu = way.mtu.value_or(0);
  stream.takes_input = opening.takes_input ? 1 : 0;
  std::vector<const char*> media;
  for (const std::string& one : opening.media) media.push_back(one.c_str());
  const sail_content content{media.data(), media.size(), program_.c_str(), opening.loop ? 1 : 0};
  if (can_be_told(opening.media)) stream.content = &content;
  std::string error;
  Stream opened = session_->open(stream, &error);
  if (!opened) return fail(ErrorCode::kUnavailable, "cannot open a window: " + error);
  stream_ = std::move(opened);
  size_ = opening.size;
  return {};
}

Rect DeskWindow::place_for(const Opening& opening) const {
  if (stream_) {
    const Rect former = wall_rect();
    if (!former.empty()) return opening.keep_shape ? fit_into(former, opening.size) : former;
  }
  if (!options_.place) return {};
  const Rect& place = *options_.place;
  if (!place.empty()) return opening.keep_shape ? fit_into(place, opening.size) : place;
  return {place.x, place.y, opening.size.width, opening.size.height};
}

sail_status DeskWindow::submit(const uint8_t* bgra, ptrdiff_t stride) {
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = bgra;
  frame.strides[0] = stride;
  return stream_.submit(frame);
}

void DeskWindow::tell(const Page& page) {
  sail_playback playback{};
  playback.page = page.page;
  playback.pages = page.pages;
  playback.loop = page.loop ? 1 : 0;
  stream_.set_playback(playback);
}

std::optional<sail_event> DeskWindow::poll(int timeout_ms) {
  // A window that has been replaced may still have events under way.
  while (const auto event = session_->poll(timeout_ms)) {
    if (!event->stream || event->stream == stream_.get()) return event;
  }
  return std::nullopt;
}

Rect DeskWindow::wall_rect() const {
  const sail_rect rect = stream_.window();
  return {rect.x, rect.y, rect.width, rect.height};
}

}  // namespace sail
