#include "sail/apps/server/rtsp/rtsp_session.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/base/secret.h"

namespace server {
namespace {

using sail::ErrorCode;

RtspReply reply_of(int status) {
  return {.status = status, .headers = {}, .body = {}};
}

}  // namespace

std::string without_track(const std::string& uri) {
  const size_t track = uri.rfind("streamid=");
  std::string whole = track == std::string::npos ? uri : uri.substr(0, track);
  whole = whole.substr(0, whole.find('?'));
  while (whole.ends_with('/')) whole.pop_back();
  return whole;
}

RtspSession::RtspSession(sail::Loop& loop, sail::TcpConnection& connection, const std::string& uri,
                         FilmOpener::Film film, Promise promise, std::function<void()> on_alive)
    : loop_(loop),
      peer_(connection.peer_address().host),
      id_(sail::random_word()),
      uri_(without_track(uri)),
      title_(film.path.title),
      place_(std::move(film.place)),
      promise_(std::move(promise)),
      sender_(loop, connection, std::move(film.film), std::move(on_alive)) {}

RtspReply RtspSession::set_up(std::optional<size_t> wanted, const RtspTransport& transport) {
  const size_t tracks = sender_.film().tracks();
  if (!wanted && (tracks != 1 || has_tracks())) return reply_of(459);
  const size_t track = wanted.value_or(0);
  if (track >= tracks) return reply_of(404);
  RtpRoute route;
  const auto next = static_cast<uint16_t>(2 * track);
  route.channels = transport.pair.value_or(std::pair(next, static_cast<uint16_t>(next + 1)));
  std::string told = fmt::format("RTP/AVP/TCP;unicast;interleaved={}-{}", route.channels.first,
                                 route.channels.second);
  if (!transport.tcp) {
    auto ports = RtpPorts::open(loop_, peer_, *transport.pair);
    if (!ports) return reply_of(503);
    told = fmt::format("RTP/AVP;unicast;client_port={}-{};server_port={}-{}", transport.pair->first,
                       transport.pair->second, ports->rtp->address().port,
                       ports->rtcp->address().port);
    route.ports = std::move(*ports);
  }
  told += fmt::format(";ssrc={:08X}", sender_.film().ssrc(track));
  sender_.routes().set(track, std::move(route));
  return {.status = 200, .headers = {{"Transport", told}}, .body = {}};
}

std::optional<int> RtspSession::refusal(const RtspPath& path) const {
  if (path.title != title()) return 404;
  if (!path.track) return std::nullopt;
  if (!sender_.routes().has(*path.track)) return 404;
  return sender_.routes().count() > 1 ? std::optional(460) : std::nullopt;
}

void RtspSession::play(const RtspRequest& request, std::function<void(RtspReply)> answer) {
  RtspRange range;
  if (const std::string_view wanted = request.header("range"); !wanted.empty()) {
    const auto asked = parse_range(wanted);
    const int64_t length_ns = sender_.film().duration_ns();
    if (!asked || (length_ns > 0 && asked->from_ns.value_or(0) > length_ns)) {
      return answer(reply_of(457));
    }
    range = *asked;
  } else if (playing()) {
    return answer(reply_of(200));
  }
  const bool scale_asked = !request.header("scale").empty();
  sender_.play(range, [this, range, scale_asked,
                       answer = std::move(answer)](const sail::Result<int64_t>& start) {
    if (start) return answer(started(range, *start, scale_asked));
    answer(reply_of(start.error().code == ErrorCode::kUnavailable ? 457 : 500));
  });
}

RtspReply RtspSession::started(const RtspRange& range, int64_t start_ns, bool scale_asked) const {
  const sail::RtpFilm& film = sender_.film();
  std::string tracks;
  for (size_t track = 0; track < film.tracks(); ++track) {
    if (!sender_.routes().has(track)) continue;
    tracks += fmt::format("{}url={}/streamid={};seq={};rtptime={}", tracks.empty() ? "" : ",", uri_,
                          track, sender_.routes().counts(track).next_sequence,
                          film.rtp_time(track, start_ns));
  }
  std::optional<int64_t> end = range.to_ns;
  if (!end && film.duration_ns() > 0) end = film.duration_ns();
  RtspReply reply{.status = 200,
                  .headers = {{"Range", range_text(start_ns, end)}, {"RTP-Info", tracks}},
                  .body = {}};
  if (scale_asked) reply.headers.emplace_back("Scale", "1.0");
  return reply;
}

}  // namespace server
