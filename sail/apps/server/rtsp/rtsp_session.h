// A player's session: one film, the routes of its tracks, and its playback. Makes the replies to
// the requests that concern it. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/server/playout/admission.h"
#include "sail/apps/server/rtsp/film_opener.h"
#include "sail/apps/server/rtsp/rtp_sender.h"
#include "sail/apps/server/rtsp/rtsp_headers.h"
#include "sail/apps/server/rtsp/rtsp_request.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

namespace server {

class RtspSession {
 public:
  // connection must outlive this object. uri: of the SETUP request. on_alive: the player sent RTCP.
  RtspSession(sail::Loop& loop, sail::TcpConnection& connection, const std::string& uri,
              FilmOpener::Film film, Promise promise, std::function<void()> on_alive);

  const std::string& id() const { return id_; }
  const std::string& title() const { return title_; }
  bool playing() const { return sender_.playing(); }
  bool has_tracks() const { return sender_.routes().count() > 0; }

  // track: empty: the film's only one, which has no route yet.
  RtspReply set_up(std::optional<size_t> track, const RtspTransport& transport);
  // Returns an error status unless the path is that of the whole session.
  std::optional<int> refusal(const RtspPath& path) const;
  // `answer` is called once, within the call or later, unless this object is destroyed.
  void play(const RtspRequest& request, std::function<void(RtspReply)> answer);
  void pause() { sender_.pause(); }

 private:
  RtspReply started(const RtspRange& range, int64_t start_ns, bool scale_asked) const;

  sail::Loop& loop_;
  const std::string peer_;  // address of the client
  const std::string id_;
  const std::string uri_;  // without the track
  const std::string title_;
  const FilmPlaces::Place place_;
  const Promise promise_;
  RtpSender sender_;
};

// The URI of a film, from that of one of its tracks.
std::string without_track(const std::string& uri);

}  // namespace server
