// The WebSocket server for a guest's page. Accepts the first client that sends the secret, and no
// client after it. Runs its own thread; public functions are for the thread that created it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "sail/apps/guest/guest_link.h"
#include "sail/apps/program/program_shell.h"
#include "sail/core/base/result.h"
#include "sail/core/http/web_certificate.h"
#include "sail/core/http/web_server.h"
#include "sail/core/loop/loop.h"

namespace sail {

// The secret is an environment variable, because every user of the machine can read command lines.
constexpr const char* kGuestSecretVariable = "VITRAIL_GUEST_SECRET";

// Command line of vitrail-guest.
struct GuestOptions : ShellOptions {
  int wait_s = 30;
  CertificateFiles page;  // TLS certificate; empty: no TLS
};

std::variant<GuestOptions, CommandLineAnswer> parse_guest_options(int count,
                                                                  const char* const* arguments);

class GuestServer final : public GuestLink {
 public:
  struct Options {
    int listening = -1;  // a listening socket, owned by the server
    std::string secret;
    int64_t wait_timeout_ms = 0;                     // timeout for the page to connect
    std::optional<WebCertificate> certificate = {};  // empty: no TLS
  };
  static Result<std::unique_ptr<GuestServer>> start(const Options& options);
  // Sends the page the reason for the end if it is still connected.
  ~GuestServer() override;

  void ask_for_key_frame() override;
  void set_close_reason(std::string reason) override { reason_ = std::move(reason); }

 private:
  static constexpr size_t kMostCallers = 8;
  static constexpr size_t kMostSockets = 64;  // including sockets that are closing
  static constexpr int64_t kFarewellTimeoutMs = 1000;
  struct Caller;

  explicit GuestServer(const Options& options);
  void accept(std::unique_ptr<MessageChannel> channel);
  void hear(Caller& caller);
  // Returns the reason to refuse the client, or empty.
  std::optional<std::string> take_message(Caller& caller, const GuestMessage& message);
  void refuse(Caller& caller, const std::string& why);
  void forget(Caller& caller);
  void end();

  const std::string secret_;
  std::string reason_ = "the wall closed the window";

  // Used only by the server's thread.
  Loop loop_;
  Timer timeout_;
  std::unique_ptr<WebServer> server_;
  std::list<Caller> callers_;
  Caller* page_ = nullptr;  // the authenticated client, one of callers_
  bool ending_ = false;
  uint32_t format_ = 0;  // 0: the page has not announced its video format
  GuestVideo video_;
  std::thread thread_;
};

}  // namespace sail
