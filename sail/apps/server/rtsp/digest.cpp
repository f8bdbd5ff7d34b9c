#include "sail/apps/server/rtsp/digest.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sail/apps/server/rtsp/rtsp_headers.h"
#include "sail/core/auth/proof.h"
#include "sail/core/base/secret.h"
#include "sail/core/text/text.h"

namespace server {
namespace {

using Given = sail::KeyGuard::Proof;

constexpr std::string_view kDigestScheme = "Digest ";
constexpr std::string_view kRealm = "vitrail";

// Removes the next `name=value` or `name="value"` from the list and returns it. Empty optional:
// none left.
std::optional<std::pair<std::string_view, std::string_view>> take_field(std::string_view& list) {
  const size_t equals = list.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view name = sail::trimmed(list.substr(0, equals));
  list = sail::trimmed(list.substr(equals + 1));
  const bool quoted = list.starts_with('"');
  if (quoted) list.remove_prefix(1);
  const size_t end = list.find(quoted ? '"' : ',');
  if (quoted && end == std::string_view::npos) return std::nullopt;
  const std::string_view value = list.substr(0, end);
  list.remove_prefix(std::min(value.size() + (quoted ? 1 : 0), list.size()));
  list.remove_prefix(std::min(list.find_first_not_of(", "), list.size()));
  return std::pair(name, quoted ? value : sail::trimmed(value));
}

// Players send the URI of the film, of a track or of the session, as a full URL or as its path.
std::string film_of(const std::string& uri) {
  const auto path = parse_rtsp_uri(uri.starts_with('/') ? "rtsp://host" + uri : uri);
  return path ? path->title : uri;
}

}  // namespace

std::optional<DigestAnswer> parse_digest(std::string_view authorization) {
  if (!sail::same_word(authorization.substr(0, kDigestScheme.size()), kDigestScheme)) {
    return std::nullopt;
  }
  authorization.remove_prefix(kDigestScheme.size());
  DigestAnswer answer;
  const std::pair<std::string_view, std::string*> places[] = {
      {"username", &answer.user}, {"realm", &answer.realm},        {"nonce", &answer.nonce},
      {"uri", &answer.uri},       {"response", &answer.response},  {"qop", &answer.quality},
      {"nc", &answer.count},      {"cnonce", &answer.client_nonce}};
  while (const auto field = take_field(authorization)) {
    const auto* place = std::ranges::find_if(
        places, [&](const auto& one) { return sail::same_word(one.first, field->first); });
    if (place != std::end(places)) *place->second = field->second;
  }
  if (answer.user.empty() || answer.response.empty()) return std::nullopt;
  return answer;
}

std::string digest_challenge(std::string_view nonce) {
  return fmt::format("Digest realm=\"{}\", nonce=\"{}\", algorithm=MD5", kRealm, nonce);
}

std::string digest_response(const DigestAnswer& answer, std::string_view secret,
                            std::string_view method) {
  const std::string who =
      sail::md5_text(fmt::format("{}:{}:{}", answer.user, answer.realm, secret));
  const std::string what = sail::md5_text(fmt::format("{}:{}", method, answer.uri));
  const std::string more =
      answer.quality.empty()
          ? ""
          : fmt::format("{}:{}:{}:", answer.count, answer.client_nonce, answer.quality);
  return sail::md5_text(fmt::format("{}:{}:{}{}", who, answer.nonce, more, what));
}

Given judge_digest(std::string_view authorization, std::string_view method, std::string_view title,
                   std::string_view nonce, const sail::WallKey& wall_key) {
  const auto answer = parse_digest(authorization);
  // A nonce of another connection gets a new challenge.
  if (!answer || answer->nonce != nonce) return Given::kNone;
  const bool may = sail::right_of(answer->user) >= sail::Right::kViewer;
  const std::string right =
      digest_response(*answer, sail::key_named(wall_key, answer->user).secret, method);
  const bool proved = sail::same_text(right, answer->response) && film_of(answer->uri) == title;
  return may && proved ? Given::kRight : Given::kWrong;
}

}  // namespace server
