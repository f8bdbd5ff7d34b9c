#include "tests/unit/sail/client/session/fake_manager.h"

#include <utility>

#include "sail/core/time/clock.h"

namespace sail {

FakeManager::FakeManager(Loop& loop) : loop_(loop) {
  start();
}

FakeManager::~FakeManager() = default;

void FakeManager::start() {
  listener_ =
      TcpListener::listen(loop_, address_, [this](std::unique_ptr<TcpConnection> connection) {
        peers_.push_back(std::make_unique<RpcPeer>(
            loop_, std::move(connection),
            RpcPeer::Handlers{
                .on_request =
                    [this](const std::string& method, const Json& params,
                           const RpcPeer::Reply& reply) { on_request(method, params, reply); },
                .on_closed = [](const Error&) {}}));
      }).value();
  address_ = listener_->address();
}

void FakeManager::stop() {
  listener_.reset();
  peers_.clear();
}

void FakeManager::on_request(const std::string& method, const Json& params,
                             const RpcPeer::Reply& reply) {
  const auto result = answer(method, params);
  if (reply) reply(result);
  const bool goes_on = resumes && !opens.empty() && opens.back().resume;
  if (method == "open_stream" && result && first_routes && !goes_on) {
    send_routes(next_stream - 1, 1, first_wall_rect, *first_routes);
  }
}

Result<Json> FakeManager::answer(const std::string& method, const Json& params) {
  if (method == "hello") {
    hellos.push_back(message_from_json<Hello>(params).value());
    if (refuse_hello) return *refuse_hello;
    return welcome;
  } else if (method == "clock") {
    return to_json(ClockReading{steady_now_ns() + kClockAheadNs});
  } else if (method == "open_stream") {
    opens.push_back(message_from_json<OpenStream>(params).value());
    if (refuse_open) return *refuse_open;
    if (const auto& resume = opens.back().resume; resumes && resume) {
      return to_json(StreamOpened{.stream = resume->routes.stream,
                                  .window = resume->window,
                                  .secret = resume->secret,
                                  .codec = codec,
                                  .transport = transport,
                                  .mtu = mtu});
    }
    const uint32_t stream = next_stream++;
    return to_json(StreamOpened{.stream = stream,
                                .window = stream,
                                .secret = kSecret,
                                .codec = codec,
                                .transport = transport,
                                .mtu = mtu});
  } else if (method == "close_stream") {
    closed_streams.push_back(params.at("stream").get<uint32_t>());
  } else if (method == "epoch_ready") {
    epochs_ready.push_back(message_from_json<EpochReady>(params).value());
  } else if (method == "stream_stats") {
    stats.push_back(message_from_json<StreamStats>(params).value());
  } else if (method == "thumbnail") {
    thumbnails.push_back(message_from_json<Thumbnail>(params).value());
  } else if (method == "playback") {
    playbacks.push_back(message_from_json<StreamPlayback>(params).value());
  } else {
    return fail(ErrorCode::kUnknownMethod, method);
  }
  return Json::object();
}

void FakeManager::send_routes(uint32_t stream, uint64_t epoch, const Rect& wall_rect,
                              std::vector<Route> routes) {
  notify(
      "routes",
      to_json(Routes{
          .stream = stream, .epoch = epoch, .wall_rect = wall_rect, .routes = std::move(routes)}));
}

void FakeManager::notify(const std::string& method, const Json& params) {
  peers_.back()->notify(method, params);
}

}  // namespace sail
