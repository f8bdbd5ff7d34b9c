#include "sail/apps/play/server_film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/core/wire/playback.h"

namespace sail {
namespace {

constexpr std::string_view kScheme = "server://";
constexpr int64_t kStatusEveryMs = 250;
// The server takes longest when the manager does not answer.
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
  return std::llround(std::clamp(number_in(object, name), 0.0, kLongest) * kSecondNs);
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
                                    {"127.0.0.1", kDefaultFilmServerPort});
  if (!server) return std::nullopt;
  return ServerUrl{*server, film.substr(slash + 1), film};
}

Result<std::unique_ptr<ServerFilm>> ServerFilm::play(const ServerUrl& url, const ServerPlay& wanted,
                                                     const std::function<bool()>& interrupted) {
  const auto manager = manager_address(wanted.manager);
  if (!manager) return manager.error();
  std::unique_ptr<ServerFilm> film(new ServerFilm(url));
  auto client = RpcClient::connect(
      url.server, {.hello = {.name = "bplay"},
                   .server = "film server",
                   .advice = ": start vitrail-server there with --listen and an address that other "
                             "hosts can reach (default: its own host only)",
                   .on_notification =
                       [self = film.get()](const std::string& method, const Json& params) {
                         self->on_notification(method, params);
                       },
                   .interrupted = interrupted});
  if (!client) return client.error();
  film->client_ = std::move(*client);
  film->client_->peer().keep_alive();
  const auto playing = film->client_->call("play", film->request(wanted, *manager), kPlayTimeoutMs);
  if (!playing) return playing.error();
  film->film_ = static_cast<uint32_t>(number_in(*playing, "film"));
  film->on_status(*playing);
  film->ask_.emplace(film->client_->loop());
  film->ask_->start(kStatusEveryMs, kStatusEveryMs,
                    [self = film.get()] { self->ask_for_status(); });
  return film;
}

// The server connects to the manager. A loopback address is replaced by this host's address as the
// server reaches it.
Json ServerFilm::request(const ServerPlay& wanted, const Address& manager) const {
  const RpcPeer& server = client_->peer();
  Address reachable = manager;
  if (is_loopback(manager.host) && !is_loopback(server.peer_address().host)) {
    reachable.host = server.local_address().host;
  }
  Json params{{"title", url_.title},
              {"url", url_.text},
              {"manager", address_text(reachable)},
              {"start_s", wanted.start_s},
              {"rate", wanted.rate},
              {"paused", wanted.paused},
              {"loop", wanted.loop},
              {"hold", wanted.hold},
              {"attached", true},
              {"best_effort", wanted.best_effort}};
  if (!wanted.window_title.empty()) params["window_title"] = wanted.window_title;
  if (wanted.fps) params["fps"] = *wanted.fps;
  write_fields(params, wanted.transport);
  if (wanted.place && wanted.place->empty()) params["place"] = {wanted.place->x, wanted.place->y};
  if (wanted.place && !wanted.place->empty()) params["place"] = rect_json(*wanted.place);
  return params;
}

void ServerFilm::wait(int64_t ms) {
  if (end_) return;
  if (const auto lost = client_->wait(ms); lost && !end_) {
    end_ = {End::Why::kFailed, fmt::format("lost the film server at {}: {}",
                                           address_text(url_.server), lost->message)};
  }
}

void ServerFilm::set_paused(bool paused) {
  status_.paused = paused;
  tell(paused ? "pause" : "resume", Json::object());
}

void ServerFilm::seek(int64_t position_ns) {
  status_.position_ns = std::max<int64_t>(position_ns, 0);
  tell("seek", {{"to_s", static_cast<double>(status_.position_ns) / kSecondNs}});
}

void ServerFilm::set_rate(double rate) {
  status_.rate = std::clamp(rate, kMinRate, kMaxRate);
  tell("rate", {{"rate", status_.rate}});
}

void ServerFilm::tell(const std::string& verb, Json params) {
  params["film"] = film_;
  client_->peer().call(verb, params, [this](const Result<Json>& film) {
    if (film) on_status(*film);
  });
}

void ServerFilm::ask_for_status() {
  client_->peer().call("films", {{"film", film_}}, [this](const Result<Json>& answer) {
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
    end_ = {End::Why::kEnded, ""};
  } else if (why == "failed") {
    end_ = {End::Why::kFailed, text_in(params, "message")};
  } else {
    end_ = {End::Why::kClosed, ""};
  }
}

}  // namespace sail
