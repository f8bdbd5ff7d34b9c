// The manager's web server: its page, uploads, previews of sources and films, and control
// connections over WebSocket. Runs on the loop thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "manager/api/http_api.h"
#include "manager/media/film_servers.h"
#include "manager/media/previews.h"
#include "manager/media/uploads.h"
#include "manager/monitor/diagnosis.h"
#include "sail/core/base/log.h"
#include "sail/core/http/renewed_certificate.h"
#include "sail/core/http/web_server.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/socket/message_channel.h"

namespace manager {

// The page's files (manager/page), embedded by the build.
std::span<const sail::WebAsset> page_assets();

class Web {
 public:
  struct Options {
    sail::Address listen;
    std::optional<sail::WebCertificate> certificate = {};  // Empty: no TLS.
    std::optional<sail::TrustedProxy> proxy = {};
    size_t max_sockets = 0;
    Previews::Options previews;
  };
  struct Handlers {
    std::function<void(std::unique_ptr<sail::MessageChannel> channel)> on_socket;
    sail::TcpListener::DescriptorsExhaustedCallback on_descriptors_exhausted;
    // For monitoring (COMMANDS.md, "HTTP").
    std::function<std::string()> metrics;
    std::function<Grade()> health;
    // Returns the URL where the page continues after a failover; empty: none.
    std::function<std::string()> standby_page;
  };
  // Errors: see sail::TcpListener::listen(). sources, films and service must outlive this object.
  static sail::Result<std::unique_ptr<Web>> start(sail::Loop& loop, const Options& options,
                                                  SourceLibrary& sources, FilmServers& films,
                                                  sail::RpcService& service, Handlers handlers,
                                                  const sail::Log& log);

  sail::Address address() const { return server_->address(); }
  // Returns the page's URL for a client that reached this host at `local_host`.
  std::string url(const std::string& local_host) const;
  // Returns the page's URLs for other hosts, if it listens on all addresses.
  std::vector<std::string> urls_elsewhere() const;
  // Pin of the certificate's key; empty: no TLS.
  std::string key_pin() const { return certificate_ ? certificate_->shown().key_pin() : ""; }

 private:
  Web(sail::Loop& loop, FilmServers& films, sail::RpcService& service, Handlers handlers)
      : loop_(loop), films_(films), service_(service), handlers_(std::move(handlers)) {}
  void handle(const std::shared_ptr<sail::WebExchange>& exchange);
  sail::WebAnswer healthz() const;
  sail::WebAnswer metrics() const;
  void give_poster(const std::shared_ptr<sail::WebExchange>& exchange);
  void refuse(const std::shared_ptr<sail::WebExchange>& exchange,
              const sail::KeyGuard::Judgement& why);

  sail::Loop& loop_;
  FilmServers& films_;
  sail::RpcService& service_;
  const Handlers handlers_;
  std::unique_ptr<Uploads> uploads_;  // null: uploads are disabled.
  std::unique_ptr<Previews> previews_;
  std::unique_ptr<HttpApi> api_;
  std::unique_ptr<sail::RenewedCertificate> certificate_;  // null: no TLS.
  std::unique_ptr<sail::WebServer> server_;                // Destroyed first: it calls the others.
};

}  // namespace manager
