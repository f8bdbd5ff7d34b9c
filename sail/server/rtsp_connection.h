// One player's connection: answers its requests, one after the other, and has its session, of which
// there is one at most. The session ends with the connection, or when nothing was heard of the
// player for too long. Thread: the loop's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/base/log.h"
#include "sail/net/key_guard.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/server/film_access.h"
#include "sail/server/rtp_films.h"
#include "sail/server/rtp_sender.h"
#include "sail/server/rtsp_headers.h"
#include "sail/server/rtsp_request.h"

namespace server {

class RtspConnection : private sail::TcpReader {
 public:
  // What connections share.
  struct Host {
    sail::Loop& loop;
    const FilmAccess& access;
    sail::Log log;
    int64_t timeout_ms = 0;
    FilmPlaces films;
    sail::KeyGuard guard;
  };
  struct Handlers {
    // Not from within a function of this; it may destroy this.
    std::function<void()> on_gone;
    std::function<void(bool)> on_session;  // it has one now, or no more
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
    std::string uri;  // by which its tracks were set up, without the track
    std::unique_ptr<RtpSender> sender;
    Promise promise;
  };
  // A film that was described and is not yet a session's.
  struct Described {
    std::string title;
    std::shared_ptr<SharedRtpFilm> film;
    bool best_effort = false;  // as was asked for
  };

  std::span<uint8_t> read_buffer() override { return connection_->shared_read_buffer(); }
  void on_read(size_t bytes) override;
  void on_closed(const sail::Error&) override { gone(); }

  void heard();
  void serve();
  void handle(const RtspRequest& request);
  // Nothing: it may be asked, and of this session.
  std::optional<int> refusal(const RtspRequest& request) const;
  // Whether who asks has proved a key; else it is answered, by and by.
  bool proved(const RtspRequest& request);
  void answer(RtspReply reply);
  void answer(int status) { answer(RtspReply{.status = status, .headers = {}, .body = {}}); }
  // Says why, and ends.
  void hang_up(int status);
  void gone();

  void describe(const RtspRequest& request, const RtspPath& path);
  void set_up(const RtspRequest& request, const RtspPath& path);
  void set_up_track(size_t track, const RtspTransport& transport);
  void begin_session(const RtspRequest& request, const RtspPath& path,
                     std::shared_ptr<SharedRtpFilm> film, Promise promise);
  // Whether the storage carries it.
  sail::Result<Promise> admit(const SharedRtpFilm& film, const RtspPath& path);
  void end_session();
  void play(const RtspRequest& request);
  void tell_start(const RtspRange& range, int64_t start_ns);
  // Whether the request is for what the session plays, all of it.
  std::optional<int> not_the_session(const RtspPath& path) const;

  void open_film(const std::string& title, FilmOpened opened);
  void refuse_film(const sail::Error& error);
  void let_go(Described& described);

  Host& host_;
  std::unique_ptr<sail::TcpConnection> connection_;
  const Handlers handlers_;
  const std::string peer_;     // its host
  const std::string network_;  // and what that counts for
  const std::string nonce_;    // for its proofs
  RtspReader reader_;
  bool serving_ = false;  // within serve()
  bool ended_ = false;
  bool busy_ = false;             // with a request whose answer waits for a film
  std::optional<uint32_t> cseq_;  // of the request that is being answered
  bool scale_asked_ = false;      // likewise
  std::optional<Described> described_;
  std::optional<Session> session_;
  std::shared_ptr<std::atomic<bool>> opening_;  // set: it may be given up
  std::shared_ptr<void> background_;
  sail::Timer silence_;
  sail::Timer later_;  // for an answer to a wrong proof
};

}  // namespace server
