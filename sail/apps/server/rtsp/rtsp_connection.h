// One RTSP client's connection: answers its requests in order and holds at most one session. The
// session ends with the connection, or when the client is silent for too long. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/apps/server/playout/film_access.h"
#include "sail/apps/server/rtsp/film_opener.h"
#include "sail/apps/server/rtsp/rtsp_headers.h"
#include "sail/apps/server/rtsp/rtsp_request.h"
#include "sail/apps/server/rtsp/rtsp_session.h"
#include "sail/core/auth/key_guard.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

namespace server {

class RtspConnection : private sail::TcpReader {
 public:
  // State shared by all connections.
  struct Host {
    sail::Loop& loop;
    FilmAccess& access;
    sail::Log log;
    int64_t timeout_ms = 0;
    FilmPlaces films;
    sail::KeyGuard guard;
  };
  struct Handlers {
    // Posted to the loop; it may destroy this object.
    std::function<void()> on_gone;
    std::function<void(bool)> on_session;  // true: a session has begun; false: it has ended
  };

  RtspConnection(Host& host, std::unique_ptr<sail::TcpConnection> connection, Handlers handlers);
  RtspConnection(const RtspConnection&) = delete;
  RtspConnection& operator=(const RtspConnection&) = delete;

 private:
  std::span<uint8_t> read_buffer() override { return connection_->shared_read_buffer(); }
  void on_read(size_t bytes) override;
  void on_closed(const sail::Error&) override { gone(); }

  void heard();
  void serve();
  void handle(const RtspRequest& request);
  // Checks version, CSeq, method and session. Returns an error status, or an empty optional.
  std::optional<int> refusal(const RtspRequest& request) const;
  // Returns whether the client has proved a key. If not, answers the request, perhaps later.
  bool proved(const RtspRequest& request);
  void answer(RtspReply reply);
  void answer(int status) { answer(RtspReply{.status = status, .headers = {}, .body = {}}); }
  // Sends the status and closes the connection.
  void hang_up(int status);
  void gone();

  void describe(const RtspRequest& request, const RtspPath& path);
  void report(const std::string& uri, const SharedRtpFilm& film);
  void set_up(const RtspRequest& request, const RtspPath& path);
  // Reserves the film's rate on the storage.
  sail::Result<Promise> admit(const FilmOpener::Film& film);
  void begin_session(const RtspRequest& request, FilmOpener::Film film, Promise promise);
  void set_up_track(const RtspPath& path, const RtspTransport& transport);
  void end_session();
  void open_film(const RtspPath& path, FilmOpener::Opened opened);
  void refuse_film(const sail::Error& error);

  Host& host_;
  std::unique_ptr<sail::TcpConnection> connection_;
  const Handlers handlers_;
  const std::string peer_;   // address of the client
  const std::string nonce_;  // nonce of the digest authentication
  RtspReader reader_;
  bool serving_ = false;  // within serve()
  bool ended_ = false;
  bool busy_ = false;             // the answer to a request is pending
  std::optional<uint32_t> cseq_;  // CSeq of the request being answered
  FilmOpener films_;
  std::unique_ptr<RtspSession> session_;
  sail::Timer silence_;
  sail::Timer later_;  // delays the answer to a wrong proof
};

}  // namespace server
