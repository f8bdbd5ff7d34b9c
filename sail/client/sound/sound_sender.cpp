#include "sail/client/sound/sound_sender.h"

#include <algorithm>
#include <utility>

namespace sail {
namespace {

// Smoothing window of the video latency, in frames.
constexpr int64_t kLatencyFrames = 16;

}  // namespace

bool SoundSender::submit(SoundPiece piece) {
  const auto left_out = waiting_.push(std::move(piece));
  if (left_out && left_out->sound.restart) restart_lost_ = true;
  loop_.post([this] { send_waiting(); });
  return !left_out;
}

void SoundSender::send_waiting() {
  sounds_ = true;
  make_connections();
  while (auto piece = waiting_.pop()) {
    Sound sound = piece->sound;
    sound.samples = piece->samples;
    if (restart_lost_.exchange(false)) sound.restart = true;
    if (piece->with_picture) sound.at_ns += latency_ns_.value_or(0);
    const auto message = encode(stream_, sound);
    for (const auto& connection : connections_) connection->send(message);
  }
}

// Keeps the connections of routes that did not change, so that a repeated route is inaudible.
void SoundSender::make_connections() {
  if (!sounds_ || stream_ == 0) return;
  std::erase_if(connections_, [this](const auto& connection) {
    return std::ranges::find(routes_, connection->route()) == routes_.end();
  });
  for (const SoundRoutes::Route& route : routes_) {
    const bool there = std::ranges::any_of(
        connections_, [&](const auto& connection) { return connection->route() == route; });
    if (there) continue;
    const uint64_t secret = route.recorder != 0 ? route.recorder : secret_;
    connections_.push_back(std::make_unique<SoundConnection>(loop_, log_, route, stream_, secret));
  }
}

void SoundSender::open(const StreamOpened& opened) {
  wall_has_audio_ = opened.sound;
  const bool same = stream_ == opened.stream && secret_ == opened.secret;
  if (same && opened.sound) return;  // the connections continue
  close();
  stream_ = opened.stream;
  secret_ = opened.secret;
}

void SoundSender::route(const SoundRoutes& routes) {
  routes_ = routes.routes;
  wanted_ = !routes_.empty();
  make_connections();
}

void SoundSender::frame_done(const FrameFate& fate) {
  if (fate.first_swapped_ns == 0) return;
  const int64_t took_ns = std::max<int64_t>(fate.first_swapped_ns - fate.submitted_ns, 0);
  latency_ns_ = latency_ns_ ? *latency_ns_ + (took_ns - *latency_ns_) / kLatencyFrames : took_ns;
}

void SoundSender::close() {
  wanted_ = false;
  stream_ = 0;
  routes_.clear();
  connections_.clear();
}

}  // namespace sail
