// What the web server decides without a network: whose requests it takes, and which asset answers
// how. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sail/net/web_server.h"

namespace sail {

// Whether a page of another site sent the request: the Origin's host and port are not the Host's.
// Requests without an Origin are not from a page of another site (browsers name it).
bool is_foreign_origin(std::string_view origin, std::string_view host);

// Whether it is one of another host, whatever the ports are.
bool is_of_other_host(std::string_view origin, std::string_view host);

// WebSockets at other ports of the host that a request named, as sources of a content security
// policy; empty where such a policy cannot name them (IPv6 addresses).
std::string page_sockets(std::string_view host);

// Whether the Host header names this host by its loopback.
bool is_loopback_host(std::string_view host);

// Whether the subprotocol is among those of a Sec-WebSocket-Protocol header.
bool names_protocol(std::string_view header, std::string_view protocol);

// What a Content-Length says; nothing when it is not one number: a server before this one might
// read another length, and take a part of the body for a request, or the other way round (RFC 9112,
// 6.3).
std::optional<uint64_t> body_length(std::string_view content_length);

// Null: no asset has the path.
const WebAsset* find_asset(std::span<const WebAsset> assets, std::string_view path);

struct AssetRequest {
  std::string method;
  std::string accept_encoding;
  std::string if_none_match;
  std::string host = {};
  std::string also_asked = {};  // see WebAnswer
};
WebAnswer asset_answer(const WebAsset& asset, const AssetRequest& request);

// What those hear who speak without TLS where it is spoken: those who only read are sent to the
// same place by https.
WebAnswer to_https(bool reads, std::string_view host, std::string_view path);

// Status line and headers, with those that every answer has.
std::string answer_head(const WebAnswer& answer, bool keep_alive);

}  // namespace sail
