#include "sail/apps/server_film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sail/net/wall_token.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/playback.h"

namespace sail {
namespace {

constexpr std::string_view kScheme = "server://";
constexpr uint16_t kServerPort = 7450;
constexpr double kSecond = 1e9;
constexpr int64_t kStatusEveryMs = 250;
constexpr int64_t kLookEveryMs = 50;
// A film whose manager does not answer takes the server longest.
constexpr int64_t kPlayTimeoutMs = 20'000;

double number_in(const Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_number() ? it->get<double>() : 0;
}

std::string text_in(const Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

int64_t time_in(const Json& object, const char* name) {
  constexpr double kLongest = 1e8;
  return std::llround(std::clamp(number_in(object, name), 0.0, kLongest) * kSecond);
}

}  // namespace

bool is_server_url(const std::string& film) {
  return film.starts_with(kScheme);
}

std::optional<ServerUrl> parse_server_url(const std::string& film) {
  if (!is_server_url(film)) return std::nullopt;
  const size_t slash = film.find('/', kScheme.size());
  if (slash == std::string::npos || slash + 1 == film.size()) return std::nullopt;
  const auto server = parse_address(film.substr(kScheme.size(), slash - kScheme.size()),
                                    {"127.0.0.1", kServerPort});
  if (!server) return std::nullopt;
  return ServerUrl{*server, film.substr(slash + 1), film};
}

Result<std::unique_ptr<ServerFilm>> ServerFilm::play(const ServerUrl& url, const ServerPlay& wanted,
                                                     const std::function<bool()>& interrupted) {
  const char* variable = std::getenv("VITRAIL_MANAGER");
  const std::string local = variable != nullptr ? variable : "";
  const auto manager = parse_address(wanted.manager.empty() ? local : wanted.manager,
                                     {"127.0.0.1", kDefaultControlPort});
  if (!manager) return manager.error();
  std::unique_ptr<ServerFilm> film(new ServerFilm(url));
  if (auto connected = film->connect(interrupted); !connected) {
    return connected.error();
  }
  const auto playing = film->call("play", film->request(wanted, *manager), interrupted);
  if (!playing) return playing.error();
  film->film_ = static_cast<uint32_t>(number_in(*playing, "film"));
  film->on_status(*playing);
  film->ask_.start(kStatusEveryMs, kStatusEveryMs, [self = film.get()] { self->ask_for_status(); });
  return film;
}

Result<void> ServerFilm::connect(const std::function<bool()>& interrupted) {
  std::optional<Result<std::unique_ptr<TcpConnection>>> connected;
  connecting_ = TcpConnection::connect(loop_, url_.server, [&](auto result) {
    connected = std::move(result);
    loop_.stop();
  });
  while (!connected && !interrupted()) wait(kLookEveryMs);
  connecting_.reset();
  if (!connected || !*connected) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("no film server at {} ({})", address_text(url_.server),
                            connected ? connected->error().message : "interrupted"));
  }
  peer_ = std::make_unique<RpcPeer>(
      loop_, std::move(**connected),
      RpcPeer::Handlers{
          .on_request = [this](const std::string& method, const Json& params,
                               const RpcPeer::Reply&) { on_notification(method, params); },
          .on_closed =
              [this](const Error& error) {
                finish({End::Why::kFailed, fmt::format("lost the film server at {}: {}",
                                                       address_text(url_.server), error.message)});
              }});
  Hello hello;
  hello.role = Role::kUi;
  hello.name = "bplay";
  hello.token = token_for(peer_->peer_address());
  const auto welcome = call("hello", to_json(hello), interrupted);
  if (!welcome) return welcome.error();
  peer_->keep_alive();
  return {};
}

Result<Json> ServerFilm::call(const std::string& verb, const Json& params,
                              const std::function<bool()>& interrupted) {
  std::optional<Result<Json>> answer;
  peer_->call(
      verb, params,
      [&](Result<Json> result) {
        answer = std::move(result);
        loop_.stop();
      },
      kPlayTimeoutMs);
  while (!answer && !interrupted()) wait(kLookEveryMs);
  if (answer) return std::move(*answer);
  peer_.reset();  // the answer would come to what is gone
  return fail(ErrorCode::kUnavailable, "interrupted");
}

// The manager is reached from the server: what is this host's own is named as the server sees it.
Json ServerFilm::request(const ServerPlay& wanted, const Address& manager) const {
  Address reachable = manager;
  if (is_loopback(manager.host) && !is_loopback(peer_->peer_address().host)) {
    reachable.host = peer_->local_address().host;
  }
  Json params{
      {"title", url_.title},       {"url", url_.text},    {"manager", address_text(reachable)},
      {"start_s", wanted.start_s}, {"rate", wanted.rate}, {"paused", wanted.paused},
      {"loop", wanted.loop},       {"hold", wanted.hold}, {"attached", true}};
  if (!wanted.window_title.empty()) params["window_title"] = wanted.window_title;
  if (wanted.fps) params["fps"] = *wanted.fps;
  add_to(params, wanted.transport);
  if (wanted.place && wanted.place->empty()) params["place"] = {wanted.place->x, wanted.place->y};
  if (wanted.place && !wanted.place->empty()) params["place"] = rect_json(*wanted.place);
  return params;
}

void ServerFilm::wait(int64_t ms) {
  if (end_) return;
  Timer due(loop_);
  due.start(ms, 0, [this] { loop_.stop(); });
  loop_.run();
}

void ServerFilm::set_paused(bool paused) {
  status_.paused = paused;
  tell(paused ? "pause" : "resume", Json::object());
}

void ServerFilm::seek(int64_t position_ns) {
  status_.position_ns = std::max<int64_t>(position_ns, 0);
  tell("seek", {{"to_s", static_cast<double>(status_.position_ns) / kSecond}});
}

void ServerFilm::set_rate(double rate) {
  status_.rate = std::clamp(rate, kMinRate, kMaxRate);
  tell("rate", {{"rate", status_.rate}});
}

void ServerFilm::tell(const std::string& verb, Json params) {
  params["film"] = film_;
  peer_->call(verb, params, [this](const Result<Json>& film) {
    if (film) on_status(*film);
  });
}

void ServerFilm::ask_for_status() {
  peer_->call("films", {{"film", film_}}, [this](const Result<Json>& answer) {
    if (!answer) return;
    const auto films = answer->find("films");
    if (films == answer->end() || !films->is_array() || films->empty()) return;
    on_status(films->front());
  });
}

void ServerFilm::on_status(const Json& film) {
  if (!film.is_object()) return;
  status_.position_ns = time_in(film, "position_s");
  status_.duration_ns = time_in(film, "duration_s");
  status_.paused = text_in(film, "state") == "paused";
  status_.rate = number_in(film, "rate");
  status_.fps_shown = number_in(film, "fps_shown");
  constexpr double kMost = 1e15;
  status_.dropped =
      static_cast<uint64_t>(std::clamp(number_in(film, "frames_dropped"), 0.0, kMost));
}

void ServerFilm::on_notification(const std::string& method, const Json& params) {
  if (method != "film_ended" || !params.is_object()) return;
  const std::string why = text_in(params, "why");
  if (why == "ended") {
    finish({End::Why::kEnded, ""});
  } else if (why == "failed") {
    finish({End::Why::kFailed, text_in(params, "message")});
  } else {
    finish({End::Why::kClosed, ""});
  }
}

void ServerFilm::finish(End end) {
  if (!end_) end_ = std::move(end);
  loop_.stop();
}

}  // namespace sail
