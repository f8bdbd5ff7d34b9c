// A video that a vitrail-server plays for bplay (sail/apps/server/README.md): starts it, forwards
// the user's commands and receives its status. Destruction ends the video. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/play/options.h"
#include "sail/apps/play/terminal.h"
#include "sail/core/address/address.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/text/json.h"

namespace sail {

// server://HOST[:PORT]/TITLE
struct ServerUrl {
  Address server;
  std::string title;
  std::string text;  // as given by the user
};
bool is_server_url(const std::string& film);
std::optional<ServerUrl> parse_server_url(const std::string& film);

// The options of bplay that are sent to the server.
struct ServerPlay {
  std::string manager;  // HOST:PORT; empty: libsail's default
  std::string window_title;
  std::optional<Rect> place;
  std::optional<double> fps;
  double start_s = 0;
  double rate = 1;
  bool paused = false;
  bool loop = false;
  bool hold = false;
  bool best_effort = false;
  TransportOptions transport{};
};

class ServerFilm {
 public:
  // Starts the video and waits until its window is open. `interrupted` is called meanwhile; if it
  // returns true, play() fails with kUnavailable.
  static Result<std::unique_ptr<ServerFilm>> play(const ServerUrl& url, const ServerPlay& wanted,
                                                  const std::function<bool()>& interrupted);
  ServerFilm(const ServerFilm&) = delete;
  ServerFilm& operator=(const ServerFilm&) = delete;

  // Processes answers and notifications for this time.
  void wait(int64_t ms);

  // Last known status.
  const PlayStatus& status() const { return status_; }
  void set_paused(bool paused);
  void seek(int64_t position_ns);
  void set_rate(double rate);

  struct End {
    enum class Why : uint8_t { kEnded, kClosed, kFailed } why = Why::kEnded;
    std::string message;  // for kFailed
  };
  const std::optional<End>& end() const { return end_; }

 private:
  explicit ServerFilm(const ServerUrl& url) : url_(url) {}
  Json request(const ServerPlay& wanted, const Address& manager) const;
  void tell(const std::string& verb, Json params);
  void ask_for_status();
  void on_notification(const std::string& method, const Json& params);
  void on_status(const Json& film);

  const ServerUrl url_;
  std::unique_ptr<RpcClient> client_;
  std::optional<Timer> ask_;
  uint32_t film_ = 0;
  PlayStatus status_;
  std::optional<End> end_;
};

}  // namespace sail
