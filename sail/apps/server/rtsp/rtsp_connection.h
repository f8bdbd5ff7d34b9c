// One RTSP client's connection: answers its requests in order and holds at most one session. The
// session ends with the connection, or when the client is silent for too long. Thread: the loop's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/apps/server/playout/film_access.h"
#include "sail/apps/server/rtsp/rtp_films.h"
#include "sail/apps/server/rtsp/rtp_sender.h"
#include "sail/apps/server/rtsp/rtsp_headers.h"
#include "sail/apps/server/rtsp/rtsp_request.h"
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
    const FilmAccess& access;
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
  ~RtspConnection() override;
  RtspConnection(const RtspConnection&) = delete;
  RtspConnection& operator=(const RtspConnection&) = delete;

 private:
  using FilmOpened = std::function<void(sail::Result<std::shared_ptr<SharedRtpFilm>>)>;

  struct Session {
    std::string id;
    std::string title;
    std::string uri;  // of the SETUP request, without the track
    std::unique_ptr<RtpSender> sender;
    Promise promise;
  };
  // A film opened for DESCRIBE that has no session yet.
  struct Described {
    std::string title;
    std::shared_ptr<SharedRtpFilm> film;
    bool best_effort = false;  // requested in the URI
  };

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
  void set_up(const RtspRequest& request, const RtspPath& path);
  void set_up_track(size_t track, const RtspTransport& transport);
  void begin_session(const RtspRequest& request, const RtspPath& path,
                     std::shared_ptr<SharedRtpFilm> film, Promise promise);
  // Reserves the film's rate on the storage.
  sail::Result<Promise> admit(const SharedRtpFilm& film, const RtspPath& path);
  void end_session();
  void play(const RtspRequest& request);
  void report_start(const RtspRange& range, int64_t start_ns);
  // Returns an error status unless the request is for the whole session.
  std::optional<int> not_the_session(const RtspPath& path) const;

  void open_film(const std::string& title, FilmOpened opened);
  void refuse_film(const sail::Error& error);
  void let_go(Described& described);

  Host& host_;
  std::unique_ptr<sail::TcpConnection> connection_;
  const Handlers handlers_;
  const std::string peer_;     // address of the client
  const std::string network_;  // the client's network, for limits
  const std::string nonce_;    // of the digest authentication
  RtspReader reader_;
  bool serving_ = false;  // within serve()
  bool ended_ = false;
  bool busy_ = false;             // the answer to a request is pending
  std::optional<uint32_t> cseq_;  // of the request being answered
  bool scale_asked_ = false;      // the request being answered has a Scale header
  std::optional<Described> described_;
  std::optional<Session> session_;
  std::shared_ptr<std::atomic<bool>> opening_;  // set to true: abort the opening
  std::shared_ptr<void> background_;
  sail::Timer silence_;
  sail::Timer later_;  // delays the answer to a wrong proof
};

}  // namespace server
