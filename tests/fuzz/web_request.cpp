// Headers of an HTTP request from anybody: what the web server decides by them, and the head that
// it answers. Input: origin, host, accepted encodings, known version, length and path, one a line.
#include <algorithm>
#include <string>
#include <string_view>

#include "sail/core/http/web_rules.h"
#include "tests/fuzz/fuzz.h"

namespace {

constexpr sail::WebAsset kAssets[] = {
    {"/index.html", "text/html", "0123456789abcdef", "the page", "the page, smaller"},
    {"/a/index.html", "text/html", "fedcba9876543210", "another page", ""}};

// Only the server adds lines to a head, and a body cannot begin early.
void check_head(const sail::WebAnswer& answer) {
  const std::string head = sail::answer_head(answer, true);
  constexpr std::string_view kOfAll = "HTTP/1.1 ";
  constexpr int kSafetyLines = 5, kOtherLines = 3;  // status, connection, and the empty line
  const bool bare = answer.status == 204 || answer.status == 304;
  const auto lines = kSafetyLines + kOtherLines + (bare ? 0 : 1) +
                     static_cast<std::ptrdiff_t>(answer.headers.size());
  fuzz::require(head.starts_with(kOfAll), "a head has a status");
  fuzz::require(std::ranges::count(head, '\n') == lines && std::ranges::count(head, '\r') == lines,
                "a request adds no lines to the answer");
  fuzz::require(head.find("\r\n\r\n") == head.size() - 4, "a head ends once");
}

void check_origin(const std::string& origin, const std::string& host) {
  if (!sail::is_foreign_origin(origin, host) && !origin.empty()) {
    fuzz::require(origin.size() == host.size() + (origin.starts_with("https") ? 8 : 7),
                  "a page is of the host that was asked");
    fuzz::require(!sail::is_foreign_origin(origin, host), "and stays so");
  }
  sail::is_of_other_host(origin, host);
  sail::is_loopback_host(host);
  const std::string sockets = sail::page_sockets(host);
  fuzz::require(sockets.empty() || std::ranges::count(sockets, ' ') == 2, "two sources");
  fuzz::require(sockets.find_first_of(";,'\"") == std::string::npos, "and no other rule");
}

}  // namespace

FUZZ_TARGET(web_request) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string origin, host, encodings, known, length, path;
  for (std::string* line : {&origin, &host, &encodings, &known, &length, &path}) {
    const size_t end = std::min(text.find('\n'), text.size());
    *line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  check_origin(origin, host);
  sail::names_protocol(encodings, "vitrail");
  if (sail::body_length(length)) {
    fuzz::require(length.find_first_not_of("0123456789") == std::string::npos,
                  "a length has only digits");
  }
  const sail::WebAsset* asset = sail::find_asset(kAssets, path);
  for (const char* method : {"GET", "PUT"}) {
    const auto answer = sail::asset_answer(
        asset == nullptr ? kAssets[0] : *asset,
        {.method = method, .accept_encoding = encodings, .if_none_match = known, .host = host});
    fuzz::require(answer.status != 304 || answer.body.empty(), "what is known is not sent");
    check_head(answer);
  }
  check_head(sail::to_folder(path));
  check_head(sail::to_https(true, host, path));
  return 0;
}
