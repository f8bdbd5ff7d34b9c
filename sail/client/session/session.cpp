#include "sail/client/session/session.h"

#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <utility>

#include "sail/client/session/manager_client.h"
#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr size_t kMaxEvents = 1024;

}  // namespace

ClientSession::ClientSession(const Options& options)
    : log_(options.name, options.log_level),
      events_(kMaxEvents),
      workers_(options.encode_threads) {}

Result<std::unique_ptr<ClientSession>> ClientSession::open(const Options& options) {
  std::unique_ptr<ClientSession> session(new ClientSession(options));
  if (auto started = session->start(options); !started) {
    return std::move(started.error());
  }
  return session;
}

Result<void> ClientSession::start(const Options& options) {
  const auto promise = std::make_shared<std::promise<Result<void>>>();
  auto answer = promise->get_future();
  thread_ = std::thread([this, options, promise] {
    name_this_thread("sail-loop");
    ManagerClient client(
        loop_, options.manager, options.name, clock_, events_, log_,
        [this](const codecs::DisplayColor& display) {
          const std::lock_guard lock(display_mutex_);
          display_ = display;
        },
        [promise](const Result<void>& result) { promise->set_value(result); });
    client_ = &client;
    loop_.run();
  });
  if (answer.wait_for(std::chrono::milliseconds(kOpenTimeoutMs)) != std::future_status::ready) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("no manager answers at {}: start one (`vitrail up WALL`) or set "
                            "VITRAIL_MANAGER to its address",
                            address_text(options.manager)));
  }
  return answer.get();
}

ClientSession::~ClientSession() {
  if (!thread_.joinable()) return;
  loop_.post([this] { client_->shut_down([this] { loop_.stop(); }); });
  thread_.join();
}

Result<ClientStream*> ClientSession::open_stream(const StreamSpec& spec) {
  const auto stream = std::make_shared<ClientStream>(*this, spec, loop_, workers_, clock_, log_);
  const auto promise = std::make_shared<std::promise<Result<void>>>();
  auto answer = promise->get_future();
  loop_.post([this, stream, promise] {
    client_->open(stream, [promise](const Result<void>& result) { promise->set_value(result); });
  });
  if (const auto opened = answer.get(); !opened) return opened.error();
  return stream.get();
}

void ClientSession::close_stream(ClientStream& stream) {
  const auto promise = std::make_shared<std::promise<void>>();
  auto closed = promise->get_future();
  loop_.post(
      [this, &stream, promise] { client_->close(stream, [promise] { promise->set_value(); }); });
  closed.wait();
}

void ClientSession::set_playback(ClientStream& stream, Playback playback) {
  if (playback.at_ns == 0) playback.at_ns = clock_.wall_now_ns();
  if (!stream.playback().set(playback, clock_)) return;
  loop_.post([this, &stream] { client_->report_playback(stream); });
}

void ClientSession::set_tracks(ClientStream& stream, FilmTracks tracks) {
  if (!stream.playback().set(std::move(tracks))) return;
  loop_.post([this, &stream] { client_->report_playback(stream); });
}

codecs::DisplayColor ClientSession::display() const {
  const std::lock_guard lock(display_mutex_);
  return display_;
}

std::optional<ClientSession::Polled> ClientSession::poll(std::chrono::milliseconds wait) {
  int64_t now_ns = steady_now_ns();
  const int64_t until_ns = now_ns + std::chrono::nanoseconds(wait).count();
  for (;;) {
    const int64_t left_ns = std::max<int64_t>(until_ns - now_ns, 0);
    const auto event = events_.pop(std::chrono::nanoseconds(left_ns));
    const int64_t before_ns = std::exchange(now_ns, steady_now_ns());
    waited_ns_.fetch_add(now_ns - before_ns, std::memory_order_relaxed);
    if (!event) return std::nullopt;
    if (!event->of_stream) return Polled{.event = event->event, .stream = nullptr};
    if (const auto stream = event->stream.lock()) {
      return Polled{.event = event->event, .stream = stream.get()};
    }
  }
}

}  // namespace sail
