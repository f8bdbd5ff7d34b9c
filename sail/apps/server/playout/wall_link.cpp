#include "sail/apps/server/playout/wall_link.h"

#include <chrono>
#include <memory>
#include <utility>

namespace server {
namespace {

constexpr std::chrono::hours kLong(1);

}  // namespace

WallLink::WallLink(sail::Loop& loop, std::string manager, size_t max_streams, const sail::Log& log)
    : loop_(loop),
      manager_(std::move(manager)),
      session_("vitrail-server", manager_, -1,
               [&log](sail::LogLevel level, const std::string& sentence) {
                 log.write(level, sentence);
               }),
      jobs_(2 * max_streams + 1),  // one opening and one closing per stream
      thread_([this] { run(); }) {}

WallLink::~WallLink() {
  if (!ending_) end([] {});
  thread_.join();
}

void WallLink::run() {
  while (!done_) {
    if (const auto job = jobs_.pop(kLong)) (*job)();
  }
  session_.close();
}

void WallLink::open(const sail::Opening& opening,
                    std::function<void(sail::Result<sail::Stream>)> opened) {
  jobs_.push([this, opening, opened = std::move(opened)] {
    const auto stream = std::make_shared<sail::Result<sail::Stream>>(session_.open_stream(opening));
    loop_.post([this, opened, stream] {
      there_ |= stream->has_value();
      opened(std::move(*stream));
    });
  });
}

void WallLink::close(sail::Stream stream, std::function<void()> closed) {
  jobs_.push([this, stream = std::make_shared<sail::Stream>(std::move(stream)),
              closed = std::move(closed)] {
    stream->close();
    loop_.post(closed);
  });
}

void WallLink::end(std::function<void()> ended) {
  ending_ = true;
  jobs_.push([this, ended = std::move(ended)] {
    done_ = true;
    loop_.post(ended);
  });
}

std::optional<sail_event> WallLink::poll() {
  return there_ && !ending_ ? session_.poll(0) : std::nullopt;
}

}  // namespace server
