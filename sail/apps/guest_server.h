// Where the page of a guest connects: a WebSocket for who says the secret first, and for nobody
// after. A thread of its own; what is public is for the thread that made it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "sail/apps/guest_link.h"
#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/web_server.h"

namespace sail {

class GuestServer final : public GuestLink {
 public:
  struct Options {
    int listening = -1;  // a socket, which becomes the server's
    std::string secret;
    int64_t patience_ms = 0;                         // how long the page has to come
    std::optional<WebCertificate> certificate = {};  // nothing: no TLS
  };
  static Result<std::unique_ptr<GuestServer>> start(const Options& options);
  // Tells the page why it ends, if it is still there.
  ~GuestServer() override;

  void ask_for_key_frame() override;
  void say_at_end(std::string reason) override { reason_ = std::move(reason); }

 private:
  static constexpr size_t kMostCallers = 8;
  static constexpr size_t kMostSockets = 64;  // with those that are being closed
  static constexpr int64_t kLastWordsMs = 1000;
  struct Caller;

  explicit GuestServer(const Options& options);
  void accept(std::unique_ptr<MessageChannel> channel);
  void hear(Caller& caller);
  // Nothing: what it said is right.
  std::optional<std::string> take_message(Caller& caller, const GuestMessage& message);
  void refuse(Caller& caller, const std::string& why);
  void forget(Caller& caller);
  void end();

  const std::string secret_;
  std::string reason_ = "the wall has closed its window";

  // Of the server's thread.
  Loop loop_;
  Timer patience_;
  std::unique_ptr<WebServer> server_;
  std::list<Caller> callers_;
  Caller* page_ = nullptr;  // one of them
  bool ending_ = false;
  uint32_t format_ = 0;  // 0: it has not said how its video is coded
  GuestVideo video_;
  std::thread thread_;
};

}  // namespace sail
