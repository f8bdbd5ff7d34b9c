// Requests of players to the film server.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "sail/apps/server/http/http_conditions.h"
#include "sail/apps/server/rtsp/digest.h"
#include "sail/apps/server/rtsp/rtsp_headers.h"
#include "sail/apps/server/rtsp/rtsp_request.h"
#include "tests/fuzz/fuzz.h"

namespace {

constexpr server::FileState kFilms[] = {{1000, 784'111'777'500'000'000}, {0, 0}, {UINT64_MAX, -1}};

}  // namespace

// Headers of an HTTP request for a film, one a line: the answered range must lie within the film.
FUZZ_TARGET(http_conditions) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  server::HttpConditions conditions;
  for (auto* header : std::array{&conditions.range, &conditions.if_range, &conditions.if_match,
                                 &conditions.if_none_match, &conditions.if_modified_since,
                                 &conditions.if_unmodified_since}) {
    const size_t end = text.find('\n');
    if (end != 0 && !text.empty()) *header = std::string(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  fuzz::require(!server::content_type_of(conditions.range.value_or("")).empty(),
                "a film has a type");
  for (const server::FileState& film : kFilms) {
    const server::HttpPart part = server::choose_part(film, conditions);
    fuzz::require(part.offset <= film.bytes && part.bytes <= film.bytes - part.offset,
                  "a part is within the film");
    fuzz::require(part.status != 206 || part.bytes > 0, "a part has bytes");
    fuzz::require(part.status != 200 || part.bytes == film.bytes, "all is all");
    fuzz::require(part.status < 300 || part.bytes == 0, "other answers have no film");
  }
  return 0;
}

namespace {

void look_at(const server::RtspRequest& request) {
  fuzz::require(request.body_bytes <= server::kMaxRtspBody, "a body is small");
  if (const auto path = server::parse_rtsp_uri(request.uri)) {
    fuzz::require(path->title.size() <= request.uri.size(), "a title is within its address");
  }
  if (const auto range = server::parse_range(request.header("range"))) {
    fuzz::require(range->from_ns.value_or(0) >= 0, "a time is no less than nothing");
    fuzz::require(!range->to_ns || *range->to_ns > range->from_ns.value_or(0), "forwards");
    const auto again =
        server::parse_range(server::range_text(range->from_ns.value_or(0), range->to_ns));
    fuzz::require(again || range->to_ns, "what is written can be read");
  }
  fuzz::require(
      server::judge_digest(request.header("authorization"), request.method, "film", "0123",
                           {"", "0123456789abcdef"}) != sail::KeyGuard::Proof::kRight,
      "nobody can guess a digest");
  if (const auto transport = server::choose_transport(request.header("transport"), "127.0.0.1")) {
    fuzz::require(transport->tcp || transport->pair, "UDP goes somewhere");
    fuzz::require(!transport->pair || transport->pair->first != transport->pair->second,
                  "RTP and RTCP are apart");
  }
}

// Parses the bytes in pieces of this size. Returns the requests and the reason for the end.
size_t read_in_pieces(std::span<const uint8_t> bytes, size_t piece) {
  server::RtspReader reader;
  size_t requests = 0;
  while (!bytes.empty()) {
    const auto taken = bytes.first(std::min(piece, bytes.size()));
    bytes = bytes.subspan(taken.size());
    reader.add(taken);
    for (;;) {
      const auto request = reader.next();
      if (!request) return requests;
      if (!*request) break;
      look_at(**request);
      ++requests;
    }
    fuzz::require(reader.kept_bytes() < server::kMaxRtspHead, "little is kept");
  }
  return requests;
}

}  // namespace

// Bytes from an RTSP player, in any pieces: the parsed requests do not depend on the pieces, and
// headers are parsed or refused.
FUZZ_TARGET(rtsp_bytes) {
  constexpr size_t kPiece = 7;
  const size_t whole = read_in_pieces({data, size}, std::max<size_t>(size, 1));
  fuzz::require(read_in_pieces({data, size}, kPiece) == whole, "pieces make no difference");
  return 0;
}
