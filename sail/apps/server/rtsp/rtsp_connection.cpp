#include "sail/apps/server/rtsp/rtsp_connection.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sail/apps/server/rtsp/digest.h"
#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

using sail::ErrorCode;

constexpr const char* kMethods =
    "OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER, SET_PARAMETER";
constexpr size_t kMaxUnread = 64 << 10;      // unsent bytes of answers, without a session
constexpr size_t kMaxUnsentMedia = 1 << 20;  // the limit with a session, including media
constexpr int64_t kFarewellTimeoutMs = 1000;

int rtsp_status_of(const sail::Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound:
    case ErrorCode::kInvalidParams:
      return 404;
    case ErrorCode::kUnavailable:
    case ErrorCode::kBadData:
      return 415;
    case ErrorCode::kLimit:
    case ErrorCode::kBusy:
      return 453;
    default:
      return 500;
  }
}

}  // namespace

RtspConnection::RtspConnection(Host& host, std::unique_ptr<sail::TcpConnection> connection,
                               Handlers handlers)
    : host_(host),
      connection_(std::move(connection)),
      handlers_(std::move(handlers)),
      peer_(connection_->peer_address().host),
      nonce_(sail::random_word()),
      films_(host_.loop, host_.access.files(), host_.films, host_.log, sail::network_of(peer_)),
      silence_(host_.loop),
      later_(host_.loop) {
  connection_->start_reading(*this);
  heard();
}

void RtspConnection::heard() {
  silence_.start(host_.timeout_ms, 0, [this] { gone(); });
}

void RtspConnection::on_read(size_t bytes) {
  heard();
  reader_.add(connection_->shared_read_buffer().first(bytes));
  serve();
}

void RtspConnection::serve() {
  if (std::exchange(serving_, true)) return;
  while (!busy_ && !ended_) {
    auto request = reader_.next();
    if (!request) {
      cseq_.reset();
      hang_up(request.error().code == ErrorCode::kLimit ? 413 : 400);
    } else if (*request) {
      handle(**request);
    } else {
      break;
    }
  }
  serving_ = false;
  // Further requests stay in the socket's buffer until the answer is sent.
  if (busy_ && !ended_) connection_->stop_reading();
}

void RtspConnection::handle(const RtspRequest& request) {
  cseq_ = request.cseq;
  if (const std::string_view wanted = request.header("require"); !wanted.empty()) {
    answer({.status = 551, .headers = {{"Unsupported", std::string(wanted)}}, .body = {}});
    return;
  }
  if (const auto status = refusal(request)) {
    answer(*status);
    return;
  }
  const std::string& method = request.method;
  if (method == "OPTIONS") {
    answer({.status = 200, .headers = {{"Public", kMethods}}, .body = {}});
    return;
  }
  if (!proved(request)) return;
  if (method.ends_with("_PARAMETER")) {
    answer(request.body_bytes == 0 ? 200 : 451);
    return;
  }
  const auto path = parse_rtsp_uri(request.uri);
  if (!path) {
    answer(404);
  } else if (method == "DESCRIBE") {
    describe(request, *path);
  } else if (method == "SETUP") {
    set_up(request, *path);
  } else if (const auto status = session_->refusal(*path)) {
    answer(*status);
  } else if (method == "PLAY") {
    busy_ = true;
    session_->play(request, [this](RtspReply reply) { answer(std::move(reply)); });
  } else if (method == "PAUSE") {
    session_->pause();
    answer(200);
  } else {
    end_session();
    answer(200);
  }
}

bool RtspConnection::proved(const RtspRequest& request) {
  if (host_.guard.allows_everybody()) return true;
  const auto path = parse_rtsp_uri(request.uri);
  const auto given = judge_digest(request.header("authorization"), request.method,
                                  path ? path->title : request.uri, nonce_, host_.guard.key());
  const auto judged = host_.guard.judge(given, peer_, sail::steady_now_ns());
  if (!judged.wrong) return true;
  const auto refuse = [this] {
    answer(
        {.status = 401, .headers = {{"WWW-Authenticate", digest_challenge(nonce_)}}, .body = {}});
  };
  if (judged.delay_ms == 0) {
    refuse();
    return false;
  }
  busy_ = true;
  later_.start(judged.delay_ms, 0, refuse);
  return false;
}

std::optional<int> RtspConnection::refusal(const RtspRequest& request) const {
  constexpr std::array kKnown = {"OPTIONS", "DESCRIBE", "SETUP",         "PLAY",
                                 "PAUSE",   "TEARDOWN", "GET_PARAMETER", "SET_PARAMETER"};
  if (request.version != "RTSP/1.0") return 505;
  if (!request.cseq) return 400;
  if (std::ranges::find(kKnown, request.method) == kKnown.end()) return 501;
  std::string_view id = request.header("session");
  id = id.substr(0, id.find(';'));
  if (!id.empty()) {
    const bool own = session_ && sail::same_text(id, session_->id());
    return own ? std::nullopt : std::optional(454);
  }
  const bool of_session =
      request.method == "PLAY" || request.method == "PAUSE" || request.method == "TEARDOWN";
  if (!of_session) return std::nullopt;
  return session_ ? 454 : 455;
}

void RtspConnection::answer(RtspReply reply) {
  if (ended_) return;
  const bool was_busy = std::exchange(busy_, false);
  if (session_) {
    reply.headers.emplace_back("Session",
                               fmt::format("{};timeout={}", session_->id(),
                                           std::max<int64_t>(host_.timeout_ms / 1000, 1)));
  }
  const std::string text = reply_text(reply, cseq_);
  connection_->write_copy({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  // Closes the connection of a client that sends requests but does not read the answers.
  if (connection_->unsent_bytes() > (session_ ? kMaxUnsentMedia : kMaxUnread)) {
    gone();
    return;
  }
  if (was_busy && !serving_) {
    connection_->start_reading(*this);
    serve();
  }
}

void RtspConnection::hang_up(int status) {
  const std::string text =
      reply_text({.status = status, .headers = {{"Connection", "close"}}, .body = {}}, cseq_);
  session_.reset();
  connection_->stop_reading();
  connection_->write_copy({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  sail::TcpConnection::close_after_writes(std::move(connection_), kFarewellTimeoutMs);
  gone();
}

void RtspConnection::gone() {
  if (std::exchange(ended_, true)) return;
  silence_.stop();
  if (connection_) connection_->stop_reading();
  host_.loop.post(handlers_.on_gone);
}

// --- films -----------------------------------------------------------------------------------

void RtspConnection::open_film(const RtspPath& path, FilmOpener::Opened opened) {
  busy_ = true;
  films_.open(path, std::move(opened));
}

void RtspConnection::refuse_film(const sail::Error& error) {
  host_.log.debug("rtsp: {}: {}", peer_, error.message);
  answer({.status = rtsp_status_of(error),
          .headers = {{"Content-Type", "text/plain"}},
          .body = error.message + "\n"});
}

void RtspConnection::describe(const RtspRequest& request, const RtspPath& path) {
  if (auto* described = films_.kept(path.title)) {
    described->path.best_effort = path.best_effort;
    return report(request.uri, *described->film);
  }
  open_film(path, [this, uri = request.uri](sail::Result<FilmOpener::Film> film) {
    if (!film) return refuse_film(film.error());
    const std::shared_ptr<SharedRtpFilm> described = film->film;
    films_.keep(std::move(*film));
    report(uri, *described);
  });
}

void RtspConnection::report(const std::string& uri, const SharedRtpFilm& film) {
  answer(
      {.status = 200,
       .headers = {{"Content-Base", without_track(uri) + "/"}, {"Content-Type", "application/sdp"}},
       .body = film.film->sdp()});
}

// --- session ---------------------------------------------------------------------------------

void RtspConnection::set_up(const RtspRequest& request, const RtspPath& path) {
  const auto transport = choose_transport(request.header("transport"), peer_);
  if (!transport) return answer(461);
  if (session_) {
    const bool same = session_->title() == path.title && !request.header("session").empty();
    if (same && !session_->playing()) return set_up_track(path, *transport);
    return answer(same ? 455 : 459);
  }
  if (auto* described = films_.kept(path.title)) {
    described->path.best_effort |= path.best_effort;
    auto promise = admit(*described);
    if (!promise) return refuse_film(promise.error());
    begin_session(request, films_.take(), std::move(*promise));
    return set_up_track(path, *transport);
  }
  open_film(path, [this, request, path, transport](sail::Result<FilmOpener::Film> film) {
    if (!film) return refuse_film(film.error());
    auto promise = admit(*film);
    if (!promise) {
      films_.drop(std::move(*film));
      return refuse_film(promise.error());
    }
    begin_session(request, std::move(*film), std::move(*promise));
    set_up_track(path, *transport);
  });
}

sail::Result<Promise> RtspConnection::admit(const FilmOpener::Film& film) {
  const SharedRtpFilm& its = *film.film;
  return host_.access.reserve(film.path.title,
                              {its.mb_per_s, film.path.best_effort, its.shares, its.stream});
}

void RtspConnection::begin_session(const RtspRequest& request, FilmOpener::Film film,
                                   Promise promise) {
  session_ = std::make_unique<RtspSession>(host_.loop, *connection_, request.uri, std::move(film),
                                           std::move(promise), [this] { heard(); });
  handlers_.on_session(true);
}

void RtspConnection::set_up_track(const RtspPath& path, const RtspTransport& transport) {
  const bool first = !session_->has_tracks();
  RtspReply reply = session_->set_up(path.track, transport);
  if (!session_->has_tracks()) {
    end_session();
  } else if (first) {
    host_.log.info("rtsp: {} plays '{}'", peer_, session_->title());
  }
  answer(std::move(reply));
}

void RtspConnection::end_session() {
  session_.reset();
  handlers_.on_session(false);
}

}  // namespace server
