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

std::string without_track(const std::string& uri) {
  const size_t track = uri.rfind("streamid=");
  std::string whole = track == std::string::npos ? uri : uri.substr(0, track);
  whole = whole.substr(0, whole.find('?'));
  while (whole.ends_with('/')) whole.pop_back();
  return whole;
}

int rtsp_status_of(const sail::Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound:
    case ErrorCode::kInvalidParams:
      return 404;
    case ErrorCode::kUnavailable:
    case ErrorCode::kBadData:
      return 415;
    case ErrorCode::kLimit:
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
      network_(sail::network_of(peer_)),
      nonce_(sail::random_word()),
      silence_(host_.loop),
      later_(host_.loop) {
  connection_->start_reading(*this);
  heard();
}

RtspConnection::~RtspConnection() {
  if (opening_) {
    *opening_ = true;
    host_.films.give_back(network_);
  }
  if (described_) let_go(*described_);
  if (session_) host_.films.give_back(network_);
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
  scale_asked_ = !request.header("scale").empty();
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
  } else if (const auto status = not_the_session(*path)) {
    answer(*status);
  } else if (method == "PLAY") {
    play(request);
  } else if (method == "PAUSE") {
    session_->sender->pause();
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
    const bool own = session_ && sail::same_text(id, session_->id);
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
    reply.headers.emplace_back(
        "Session",
        fmt::format("{};timeout={}", session_->id, std::max<int64_t>(host_.timeout_ms / 1000, 1)));
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
  if (session_) session_->sender.reset();
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

void RtspConnection::open_film(const std::string& title, FilmOpened opened) {
  if (!host_.films.take(network_)) {
    opened(sail::fail(ErrorCode::kLimit, "too many films are playing: try again later"));
    return;
  }
  busy_ = true;
  opening_ = std::make_shared<std::atomic<bool>>(false);
  auto film = std::make_shared<sail::Result<std::shared_ptr<SharedRtpFilm>>>(nullptr);
  background_ = sail::in_background(
      host_.loop,
      [film, access = host_.access, title, unwanted = opening_] {
        *film = open_rtp_film(access, title, unwanted);
        // The connection is gone: destroy the film on this thread, which may wait for its reads.
        if (*unwanted) *film = nullptr;
      },
      [this, film, title, opened = std::move(opened)] {
        background_.reset();
        opening_.reset();
        const std::string left_out = *film ? (**film)->film->left_out() : "";
        if (!left_out.empty()) host_.log.warning("rtsp: '{}': {}", title, left_out);
        if (!*film) host_.films.give_back(network_);
        opened(std::move(*film));
      });
}

void RtspConnection::refuse_film(const sail::Error& error) {
  host_.log.debug("rtsp: {}: {}", peer_, error.message);
  answer({.status = rtsp_status_of(error),
          .headers = {{"Content-Type", "text/plain"}},
          .body = error.message + "\n"});
}

void RtspConnection::let_go(Described& described) {
  host_.films.give_back(network_);
  described.film->unwanted = true;
  sail::in_background(host_.loop, [film = std::move(described.film)]() mutable { film.reset(); },
                      {});
}

void RtspConnection::describe(const RtspRequest& request, const RtspPath& path) {
  const auto tell = [this, base = without_track(request.uri)](const SharedRtpFilm& film) {
    answer({.status = 200,
            .headers = {{"Content-Base", base + "/"}, {"Content-Type", "application/sdp"}},
            .body = film.film->sdp()});
  };
  if (described_ && described_->title == path.title) {
    described_->best_effort = path.best_effort;
    tell(*described_->film);
    return;
  }
  open_film(path.title, [this, tell, path](sail::Result<std::shared_ptr<SharedRtpFilm>> film) {
    if (!film) {
      refuse_film(film.error());
      return;
    }
    if (described_) let_go(*described_);
    described_ = Described{path.title, *film, path.best_effort};
    tell(**film);
  });
}

// --- session ---------------------------------------------------------------------------------

void RtspConnection::set_up(const RtspRequest& request, const RtspPath& path) {
  const auto transport = choose_transport(request.header("transport"), peer_);
  if (!transport) {
    answer(461);
    return;
  }
  if (session_) {
    const bool same = session_->title == path.title && !request.header("session").empty();
    if (!same || session_->sender->playing()) {
      answer(same ? 455 : 459);
    } else {
      set_up_track(path.track.value_or(SIZE_MAX), *transport);
    }
    return;
  }
  const auto begin = [this, request, path, transport](std::shared_ptr<SharedRtpFilm> film,
                                                      Promise promise) {
    begin_session(request, path, std::move(film), std::move(promise));
    const bool only = session_->sender->film().tracks() == 1;
    set_up_track(path.track.value_or(only ? 0 : SIZE_MAX), *transport);
  };
  if (described_ && described_->title == path.title) {
    RtspPath wanted = path;
    wanted.best_effort = path.best_effort || described_->best_effort;
    auto promise = admit(*described_->film, wanted);
    if (!promise) return refuse_film(promise.error());
    const Described described = *std::exchange(described_, std::nullopt);
    begin(described.film, std::move(*promise));
    return;
  }
  open_film(path.title, [this, begin, path](sail::Result<std::shared_ptr<SharedRtpFilm>> film) {
    if (!film) return refuse_film(film.error());
    auto promise = admit(**film, path);
    if (promise) return begin(*film, std::move(*promise));
    Described refused{path.title, *film};
    let_go(refused);
    refuse_film(promise.error());
  });
}

sail::Result<Promise> RtspConnection::admit(const SharedRtpFilm& film, const RtspPath& path) {
  auto promise = host_.access.promise(path.title, {film.mb_per_s, path.best_effort, film.shares});
  if (promise) {
    host_.access.storage->claim(film.stream, claim_for(film.mb_per_s, path.best_effort));
  }
  return promise;
}

void RtspConnection::begin_session(const RtspRequest& request, const RtspPath& path,
                                   std::shared_ptr<SharedRtpFilm> film, Promise promise) {
  session_.emplace(Session{.id = sail::random_word(),
                           .title = path.title,
                           .uri = without_track(request.uri),
                           .sender = std::make_unique<RtpSender>(
                               host_.loop, *connection_, std::move(film), [this] { heard(); }),
                           .promise = std::move(promise)});
  handlers_.on_session(true);
}

void RtspConnection::end_session() {
  session_.reset();
  host_.films.give_back(network_);
  handlers_.on_session(false);
}

void RtspConnection::set_up_track(size_t track, const RtspTransport& transport) {
  RtpSender& sender = *session_->sender;
  const bool begun = sender.routes() > 0;
  const auto refuse = [this, begun](int status) {
    // A session needs at least one track.
    if (!begun) end_session();
    answer(status);
  };
  if (track >= sender.film().tracks()) {
    refuse(track == SIZE_MAX ? 459 : 404);
    return;
  }
  RtpRoute route;
  const auto next = static_cast<uint16_t>(2 * track);
  route.channels = transport.pair.value_or(std::pair(next, static_cast<uint16_t>(next + 1)));
  std::string told = fmt::format("RTP/AVP/TCP;unicast;interleaved={}-{}", route.channels.first,
                                 route.channels.second);
  if (!transport.tcp) {
    auto ports = RtpPorts::open(host_.loop, peer_, *transport.pair);
    if (!ports) {
      refuse(503);
      return;
    }
    told = fmt::format("RTP/AVP;unicast;client_port={}-{};server_port={}-{}", transport.pair->first,
                       transport.pair->second, ports->rtp->address().port,
                       ports->rtcp->address().port);
    route.ports = std::move(*ports);
  }
  told += fmt::format(";ssrc={:08X}", sender.film().ssrc(track));
  sender.set_route(track, std::move(route));
  if (!begun) host_.log.info("rtsp: {} plays '{}'", peer_, session_->title);
  answer({.status = 200, .headers = {{"Transport", told}}, .body = {}});
}

std::optional<int> RtspConnection::not_the_session(const RtspPath& path) const {
  if (path.title != session_->title) return 404;
  if (!path.track) return std::nullopt;
  if (!session_->sender->has_route(*path.track)) return 404;
  return session_->sender->routes() > 1 ? std::optional(460) : std::nullopt;
}

void RtspConnection::play(const RtspRequest& request) {
  RtspRange range;
  RtpSender& sender = *session_->sender;
  if (const std::string_view wanted = request.header("range"); !wanted.empty()) {
    const auto asked = parse_range(wanted);
    const int64_t length_ns = sender.film().duration_ns();
    if (!asked || (length_ns > 0 && asked->from_ns.value_or(0) > length_ns)) {
      answer(457);
      return;
    }
    range = *asked;
  } else if (sender.playing()) {
    answer(200);
    return;
  }
  busy_ = true;
  sender.play(range, [this, range](const sail::Result<int64_t>& start) {
    if (start) {
      report_start(range, *start);
    } else {
      answer(start.error().code == ErrorCode::kUnavailable ? 457 : 500);
    }
  });
}

void RtspConnection::report_start(const RtspRange& range, int64_t start_ns) {
  const sail::RtpFilm& film = session_->sender->film();
  std::string tracks;
  for (size_t track = 0; track < film.tracks(); ++track) {
    if (!session_->sender->has_route(track)) continue;
    tracks += fmt::format("{}url={}/streamid={};seq={};rtptime={}", tracks.empty() ? "" : ",",
                          session_->uri, track, session_->sender->next_sequence(track),
                          film.rtp_time(track, start_ns));
  }
  std::optional<int64_t> end = range.to_ns;
  if (!end && film.duration_ns() > 0) end = film.duration_ns();
  RtspReply reply{.status = 200,
                  .headers = {{"Range", range_text(start_ns, end)}, {"RTP-Info", tracks}},
                  .body = {}};
  if (scale_asked_) reply.headers.emplace_back("Scale", "1.0");
  answer(std::move(reply));
}

}  // namespace server
