// Decisions of the web server that need no network: which requests are allowed, and how assets are
// answered. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sail/core/http/web_server.h"

namespace sail {

// True if a page of another site sent the request: the Origin's host and port differ from the Host.
// Requests without an Origin do not come from pages of other sites (browsers send it).
bool is_foreign_origin(std::string_view origin, std::string_view host);

// As is_foreign_origin(), but compares only hosts, not ports.
bool is_of_other_host(std::string_view origin, std::string_view host);

// Content security policy sources for WebSockets at other ports of the requested host. Empty if the
// policy cannot express the host (IPv6 addresses).
std::string page_sockets(std::string_view host);

// True if the Host header names this host's loopback.
bool is_loopback_host(std::string_view host);

// True if a Sec-WebSocket-Protocol header contains the subprotocol.
bool names_protocol(std::string_view header, std::string_view protocol);

// Parses a Content-Length; empty unless it is exactly one number. Otherwise a proxy might read
// another length, which allows request smuggling (RFC 9112, 6.3).
std::optional<uint64_t> body_length(std::string_view content_length);

// Null if no asset has this path. A path that ends in "/" is that of its index.html.
const WebAsset* find_asset(std::span<const WebAsset> assets, std::string_view path);

// Answer to a path of a folder of assets without the "/" at its end, from which the names of its
// index.html would lead elsewhere. Leads to the folder by a relative address, as proxies need it.
WebAnswer to_folder(std::string_view path);

struct AssetRequest {
  std::string method;
  std::string accept_encoding;
  std::string if_none_match;
  std::string host = {};
  std::string connect_sources = {};  // see WebAnswer
};
WebAnswer asset_answer(const WebAsset& asset, const AssetRequest& request);

// Answer to a plain HTTP request if TLS is required: GET and HEAD requests are redirected to https.
WebAnswer to_https(bool reads, std::string_view host, std::string_view path);

// Status line and headers, including the common ones.
std::string answer_head(const WebAnswer& answer, bool keep_alive);

}  // namespace sail
