#include "sail/core/http/web_gate.h"

#include <fmt/core.h>
#include <sys/socket.h>

#include <algorithm>

#include "sail/core/address/socket_address.h"
#include "sail/core/http/web_lws_exchange.h"
#include "sail/core/http/web_rules.h"

namespace sail {
namespace {

std::string text_of(lws* connection, std::string_view header) {
  return request_header(connection, header).value_or("");
}

}  // namespace

bool WebGate::is_foreign(lws* connection) const {
  const std::string host = text_of(connection, "host");
  const std::string origin = text_of(connection, "origin");
  const bool foreign = options_.page_of_other_port ? is_of_other_host(origin, host)
                                                   : is_foreign_origin(origin, host);
  return (foreign && !options_.pages_of_all_sites) ||
         (options_.loopback_hosts_only && !is_loopback_host(host));
}

bool WebGate::lacks_tls(lws* connection) const {
  return options_.certificate && lws_is_ssl(connection) == 0;
}

std::optional<WebAnswer> WebGate::refuse_request(lws* connection, std::string_view path) const {
  if (lacks_tls(connection)) {
    const bool reads = lws_hdr_total_length(connection, WSI_TOKEN_GET_URI) > 0 ||
                       lws_hdr_total_length(connection, WSI_TOKEN_HEAD_URI) > 0;
    return to_https(reads, text_of(connection, "host"), path);
  }
  if (!request_body_length(connection)) {
    return text_answer(400, "Content-Length must be one number, the length of the whole body");
  }
  if (!text_of(connection, "transfer-encoding").empty()) {
    return text_answer(411, "Transfer-Encoding is not supported: send Content-Length");
  }
  return std::nullopt;
}

std::optional<WebAnswer> WebGate::refuse_upgrade(lws* connection, size_t sockets) const {
  if (lacks_tls(connection)) {
    return text_answer(403, "WebSocket connections need TLS: use wss:");
  }
  if (is_foreign(connection)) return text_answer(403, kForeignRequest);
  if (request_body_length(connection) != 0) {
    return text_answer(400, "a WebSocket request must not have a body");
  }
  char path[256] = {};
  lws_hdr_copy(connection, path, sizeof path, WSI_TOKEN_GET_URI);
  if (path != options_.socket_path) {
    return text_answer(
        404, fmt::format("WebSocket connections are accepted at {} only", options_.socket_path));
  }
  if (!names_protocol(text_of(connection, "sec-websocket-protocol"), options_.subprotocol)) {
    return text_answer(400, fmt::format("request the subprotocol '{}'", options_.subprotocol));
  }
  if (comes_from_proxy(connection) && !options_.proxy->groups_header.empty() &&
      is_too_long(connection, options_.proxy->groups_header)) {
    return text_answer(431,
                       fmt::format("the proxy's header {} is too long: let it list fewer groups",
                                   options_.proxy->groups_header));
  }
  if (sockets >= options_.max_sockets) {
    return text_answer(503, "too many WebSocket connections: try again later");
  }
  return std::nullopt;
}

bool WebGate::comes_from_proxy(lws* connection) const {
  if (!options_.proxy) return false;
  const std::string host = address_of(lws_get_socket_fd(connection), getpeername).host;
  return std::ranges::find(options_.proxy->from, host) != options_.proxy->from.end();
}

ProxiedUser WebGate::person(lws* connection) const {
  if (!comes_from_proxy(connection)) return {};
  ProxiedUser user{.name = text_of(connection, options_.proxy->header)};
  if (const std::string& header = options_.proxy->groups_header; !header.empty()) {
    user.groups = text_of(connection, header);
  }
  return user;
}

}  // namespace sail
