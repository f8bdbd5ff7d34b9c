#include "sail/core/http/web_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "sail/core/text/text.h"

namespace sail {
namespace {

struct Status {
  int number;
  const char* text;
};
constexpr Status kStatuses[] = {{200, "OK"},
                                {201, "Created"},
                                {204, "No Content"},
                                {206, "Partial Content"},
                                {304, "Not Modified"},
                                {307, "Temporary Redirect"},
                                {308, "Permanent Redirect"},
                                {400, "Bad Request"},
                                {401, "Unauthorized"},
                                {403, "Forbidden"},
                                {404, "Not Found"},
                                {405, "Method Not Allowed"},
                                {409, "Conflict"},
                                {411, "Length Required"},
                                {412, "Precondition Failed"},
                                {413, "Content Too Large"},
                                {415, "Unsupported Media Type"},
                                {416, "Range Not Satisfiable"},
                                {422, "Unprocessable Content"},
                                {423, "Locked"},
                                {429, "Too Many Requests"},
                                {500, "Internal Server Error"},
                                {503, "Service Unavailable"},
                                {504, "Gateway Timeout"},
                                {507, "Insufficient Storage"}};

const char* status_text(int number) {
  const auto* found =
      std::find_if(std::begin(kStatuses), std::end(kStatuses),
                   [number](const Status& status) { return status.number == number; });
  return found == std::end(kStatuses) ? "Status" : found->text;
}

// Security headers: the page runs only its own scripts, cannot be framed, and sends no referrer.
std::string safety_headers(const WebAnswer& answer) {
  return fmt::format(
      "Content-Security-Policy: default-src 'self'; img-src 'self' blob: data:; connect-src "
      "'self'{}{}; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors "
      "'none'{}{}\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "Cross-Origin-Resource-Policy: {}\r\n",
      answer.connect_sources.empty() ? "" : " ", answer.connect_sources,
      answer.policy.empty() ? "" : "; ", answer.policy,
      answer.for_all_sites ? "cross-origin" : "same-origin");
}

// True if any item of a comma-separated list passes the test.
template <typename Test>
bool any_item(std::string_view list, Test test) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (test(trimmed(list.substr(0, comma)))) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

bool takes_gzip(std::string_view accept_encoding) {
  return any_item(accept_encoding, [](std::string_view item) {
    const size_t semicolon = std::min(item.find(';'), item.size());
    const std::string_view weight = trimmed(item.substr(std::min(semicolon + 1, item.size())));
    const bool refused = weight == "q=0" || weight == "q=0.0";
    return same_word(trimmed(item.substr(0, semicolon)), "gzip") && !refused;
  });
}

}  // namespace

bool is_foreign_origin(std::string_view origin, std::string_view host) {
  if (origin.empty()) return false;
  constexpr std::string_view kSchemes[] = {"http://", "https://"};
  for (const std::string_view scheme : kSchemes) {
    if (!origin.starts_with(scheme)) continue;
    return host.empty() || !same_word(origin.substr(scheme.size()), host);
  }
  return true;
}

bool is_of_other_host(std::string_view origin, std::string_view host) {
  if (origin.empty()) return false;
  const size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos) return true;
  const auto page = parse_address(std::string(origin.substr(scheme + 3)), {"", 80});
  const auto here = parse_address(std::string(host), {"", 80});
  return !page || !here || page->host.empty() || !same_word(page->host, here->host);
}

std::string page_sockets(std::string_view host) {
  const std::string_view name = host.substr(0, host.find(':'));
  const bool plain = std::ranges::all_of(name, [](char letter) {
    return letter == '.' || letter == '-' || (letter >= '0' && letter <= '9') ||
           (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  });
  return name.empty() || !plain ? "" : fmt::format(" ws://{0}:* wss://{0}:*", name);
}

bool is_loopback_host(std::string_view host) {
  const auto address = parse_address(std::string(host), {"", 80});
  return address && is_loopback(address->host);
}

bool names_protocol(std::string_view header, std::string_view protocol) {
  return any_item(header, [protocol](std::string_view item) { return item == protocol; });
}

std::optional<uint64_t> body_length(std::string_view content_length) {
  constexpr size_t kMostDigits = 18;
  uint64_t length = 0;
  if (content_length.size() > kMostDigits) return std::nullopt;
  const char* last = content_length.data() + content_length.size();
  const auto [end, error] = std::from_chars(content_length.data(), last, length);
  if (error != std::errc() || end != last) return std::nullopt;
  return length;
}

const WebAsset* find_asset(std::span<const WebAsset> assets, std::string_view path) {
  const std::string_view index = path.ends_with('/') ? "index.html" : "";
  const auto found = std::find_if(assets.begin(), assets.end(), [&](const WebAsset& asset) {
    return asset.path.size() == path.size() + index.size() && asset.path.starts_with(path) &&
           asset.path.ends_with(index);
  });
  return found == assets.end() ? nullptr : &*found;
}

WebAnswer to_folder(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  WebAnswer answer = text_answer(308, "moved");
  answer.headers.emplace_back("Location", fmt::format("{}/", name));
  return answer;
}

WebAnswer asset_answer(const WebAsset& asset, const AssetRequest& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    WebAnswer answer = text_answer(405, "read-only: use GET or HEAD");
    answer.headers.emplace_back("Allow", "GET, HEAD");
    return answer;
  }
  // The ETag includes the policy sources: on a 304, browsers keep their cached headers.
  const std::string etag = fmt::format("\"{}{}\"", asset.etag, request.connect_sources);
  // no-cache: revalidated on each use, so that pages of different manager versions are never mixed.
  std::string connect_sources = request.connect_sources + page_sockets(request.host);
  connect_sources.erase(0, connect_sources.find_first_not_of(' '));
  WebAnswer answer{
      .headers = {{"ETag", etag}, {"Cache-Control", "no-cache"}, {"Vary", "Accept-Encoding"}},
      .body = {},
      .connect_sources = std::move(connect_sources),
      .policy = std::string(asset.policy)};
  const bool known = any_item(request.if_none_match, [&etag](std::string_view item) {
    return item == etag || item == "*" || (item.starts_with("W/") && item.substr(2) == etag);
  });
  if (known) {
    answer.status = 304;
    return answer;
  }
  answer.headers.emplace_back("Content-Type", asset.content_type);
  if (!asset.gzip.empty() && takes_gzip(request.accept_encoding)) {
    answer.headers.emplace_back("Content-Encoding", "gzip");
    answer.body = asset.gzip;
  } else {
    answer.body = asset.plain;
  }
  return answer;
}

WebAnswer to_https(bool reads, std::string_view host, std::string_view path) {
  const auto plain = [](std::string_view text, std::string_view besides) {
    return std::ranges::all_of(text, [besides](char letter) {
      return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
             (letter >= '0' && letter <= '9') || besides.find(letter) != std::string_view::npos;
    });
  };
  WebAnswer answer = text_answer(403, "this port accepts HTTPS only");
  if (!reads || host.empty() || !plain(host, ".-:[]")) return answer;
  // Our own paths need no encoding; any other path is replaced by "/".
  const std::string_view to = path.starts_with('/') && plain(path, "/._-") ? path : "/";
  answer.status = 307;
  answer.headers.emplace_back("Location", fmt::format("https://{}{}", host, to));
  return answer;
}

WebAnswer text_answer(int status, std::string_view text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, fmt::format("{}\n", text)};
}

std::string answer_head(const WebAnswer& answer, bool keep_alive) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", answer.status, status_text(answer.status));
  head += safety_headers(answer);
  for (const auto& [name, value] : answer.headers) {
    head += fmt::format("{}: ", name);
    // Control characters are removed from values, to prevent header injection.
    std::copy_if(value.begin(), value.end(), std::back_inserter(head),
                 [](char letter) { return static_cast<unsigned char>(letter) >= ' '; });
    head += "\r\n";
  }
  // These two have no body, so they must not have a length.
  const bool bare = answer.status == 204 || answer.status == 304;
  if (!bare && answer.length != WebAnswer::kEndless) {
    head += fmt::format("Content-Length: {}\r\n", answer.length.value_or(answer.body.size()));
  }
  head += keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  return head;
}

}  // namespace sail
