// What the manager is to browsers: its page, and control connections over WebSocket. Thread: the
// loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sail/net/message_channel.h"
#include "sail/net/web_server.h"

namespace manager {

class Web {
 public:
  struct Options {
    sail::Address listen;
    bool has_token = false;  // every peer must say one
    size_t max_sockets = 0;
  };
  using SocketCallback = std::function<void(std::unique_ptr<sail::MessageChannel> channel)>;
  // As sail::TcpListener::listen().
  static sail::Result<std::unique_ptr<Web>> start(sail::Loop& loop, const Options& options,
                                                  SocketCallback on_socket);

  sail::Address address() const { return server_->address(); }
  // The page's, for a client that reached this host at `local_host`.
  std::string url(const std::string& local_host) const;

 private:
  Web() = default;
  void handle(const std::shared_ptr<sail::WebExchange>& exchange);

  std::unique_ptr<sail::WebServer> server_;
};

}  // namespace manager
