// Decides which requests the web server refuses before a handler sees them. For this folder only.
#pragma once

#include <libwebsockets.h>

#include <optional>
#include <string>
#include <string_view>

#include "sail/core/http/web_exchange.h"
#include "sail/core/http/web_server.h"
#include "sail/core/socket/message_channel.h"

namespace sail {

class WebGate {
 public:
  // options must outlive this object.
  explicit WebGate(const WebServerOptions& options) : options_(options) {}

  // The answer after which the connection is closed; empty: acceptable so far.
  std::optional<WebAnswer> refuse_request(lws* connection, std::string_view path) const;
  std::optional<WebAnswer> refuse_upgrade(lws* connection, size_t sockets) const;
  // The request comes from a page of another site.
  bool is_foreign(lws* connection) const;
  // The user that the trusted proxy has signed in.
  ProxiedUser person(lws* connection) const;

 private:
  // True if TLS is required but not used.
  bool lacks_tls(lws* connection) const;
  bool comes_from_proxy(lws* connection) const;

  const WebServerOptions& options_;
};

constexpr const char* kForeignRequest = "requests from pages of other sites are refused";

}  // namespace sail
