#include "sail/server/wall_link.h"

#include <chrono>
#include <utility>

#include "sail/media/picture_spec.h"

namespace server {
namespace {

using sail::ErrorCode;

constexpr std::chrono::hours kLong(1);

sail_rect middle_of(const sail_rect& rect, sail::Size picture) {
  const sail::Size size = sail::fit(picture, {rect.width, rect.height});
  return {rect.x + (rect.width - size.width) / 2, rect.y + (rect.height - size.height) / 2,
          size.width, size.height};
}

sail_rect first_place(const StreamRequest& request) {
  if (!request.place.rect) return {};
  const sail::Rect& rect = *request.place.rect;
  if (!rect.empty()) return {rect.x, rect.y, rect.width, rect.height};
  return {rect.x, rect.y, request.display_size.width, request.display_size.height};
}

sail_stream_options options_of(const StreamRequest& request) {
  sail_stream_options options{};
  options.title = request.title.c_str();
  options.width = request.frame_size.width;
  options.height = request.frame_size.height;
  options.codec = request.codec.c_str();
  options.place = first_place(request);
  options.encoded = 1;
  options.block_width = request.block_size.width;
  options.block_height = request.block_size.height;
  options.max_reduction = request.max_reduction;
  options.fps = request.fps;
  const sail::TransportOptions& way = request.transport;
  options.transport = way.transport ? sail::transport_name(*way.transport) : nullptr;
  options.delay_ms = way.delay_ms == 0 ? SAIL_NO_DELAY : way.delay_ms.value_or(0);
  options.mtu = way.mtu.value_or(0);
  return options;
}

}  // namespace

WallLink::WallLink(sail::Loop& loop, std::string manager, size_t max_streams)
    : loop_(loop),
      manager_(std::move(manager)),
      jobs_(2 * max_streams + 1),  // an opening and a closing of each
      thread_([this] { run(); }) {}

WallLink::~WallLink() {
  if (!ending_) end([] {});
  thread_.join();
}

void WallLink::run() {
  while (!done_) {
    if (const auto job = jobs_.pop(kLong)) (*job)();
  }
  sail_session_close(session_);
}

void WallLink::ask(std::function<void()> job) {
  jobs_.push(std::move(job));
}

void WallLink::open(const StreamRequest& request,
                    std::function<void(sail::Result<sail_stream*>)> opened) {
  ask([this, request, opened = std::move(opened)] {
    loop_.post([opened, stream = open_stream(request)] { opened(stream); });
  });
}

void WallLink::close(sail_stream* stream, std::function<void()> closed) {
  ask([this, stream, closed = std::move(closed)] {
    sail_stream_close(stream);
    loop_.post(closed);
  });
}

void WallLink::end(std::function<void()> ended) {
  ending_ = true;
  ask([this, ended = std::move(ended)] {
    done_ = true;
    loop_.post(ended);
  });
}

std::optional<sail_event> WallLink::poll() {
  sail_session* session = ending_ ? nullptr : session_.load();
  sail_event event{};
  if (session == nullptr || sail_poll_event(session, &event, 0) != SAIL_OK) return std::nullopt;
  return event;
}

// --- the thread's
// ---------------------------------------------------------------------------------

sail::Result<void> WallLink::connect() {
  if (session_ != nullptr) return {};
  sail_session_options options{};
  options.name = "vitrail-server";
  options.manager = manager_.c_str();
  options.encode_threads = -1;
  options.quiet = 1;  // what matters comes as events
  sail_error error{};
  session_ = sail_session_open(&options, &error);
  if (session_ == nullptr) return sail::fail(ErrorCode::kUnavailable, error.text);
  return {};
}

sail::Result<sail_stream*> WallLink::open_stream(const StreamRequest& request) {
  if (auto connected = connect(); !connected) return connected.error();
  sail_stream_options options = options_of(request);
  const char* url = request.url.c_str();
  const sail_content content{&url, 1, "bplay", request.loop ? 1 : 0};
  if (!request.url.empty()) options.content = &content;
  sail_error error{};
  sail_stream* stream = sail_stream_open(session_, &options, &error);
  if (stream == nullptr) {
    return sail::fail(ErrorCode::kUnavailable, std::string("cannot open a window: ") + error.text);
  }
  if (options.place.width > 0 || request.display_size == request.frame_size) return stream;

  // The manager has chosen a place for square pixels, and these are not.
  sail_rect chosen{};
  sail_stream_window(stream, &chosen, nullptr);
  if (chosen.width <= 0 || chosen.height <= 0) return stream;
  options.place = middle_of(chosen, request.display_size);
  options.replaces = stream;
  sail_stream* fitting = sail_stream_open(session_, &options, &error);
  if (fitting == nullptr) return stream;
  sail_stream_close(stream);
  return fitting;
}

}  // namespace server
