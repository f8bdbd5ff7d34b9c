#include "sail/core/webrtc/offer_door.h"

#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/http/web_server.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int kOfferTaken = 201;
constexpr int kNoContent = 204;
constexpr int kBadOffer = 400;
constexpr int kWrongToken = 401;
constexpr int kWrongMethod = 405;
constexpr int kTooLarge = 413;
constexpr int kWrongType = 415;
constexpr int kTooManyGuesses = 429;
constexpr int kNotNow = 503;

}  // namespace

Result<std::optional<WebCertificate>> certificate_for(const Address& listen,
                                                      const CertificateFiles& files) {
  std::optional<WebCertificate> certificate;
  if (!files.certificate.empty()) {
    auto loaded = WebCertificate::load(files);
    if (!loaded) return loaded.error();
    certificate = std::move(*loaded);
  }
  if (!certificate && !is_loopback(listen.host)) {
    return fail(
        ErrorCode::kUnauthorized,
        "the token would be sent unencrypted: use --certificate, or listen on this machine only");
  }
  return certificate;
}

OfferDoor::OfferDoor(Loop& loop, const Options& options)
    : loop_(loop),
      guard_({"", options.token}),
      wall_key_(options.wall_key),
      shown_(options.shown),
      is_revoked_(options.is_revoked),
      all_sites_(options.all_sites) {}

WebAnswer OfferDoor::completed(WebAnswer answer) const {
  if (all_sites_) {
    answer.for_all_sites = true;
    answer.headers.emplace_back("Access-Control-Allow-Origin", "*");
    answer.headers.emplace_back("Access-Control-Expose-Headers", "Location");
  }
  return answer;
}

OfferDoor::Token OfferDoor::check(const std::optional<std::string>& authorization) const {
  if (!authorization) return {};
  constexpr std::string_view kBearer = "bearer ";
  Token wrong{.proof = KeyGuard::Proof::kWrong};
  if (lower(authorization->substr(0, kBearer.size())) != kBearer) return wrong;
  const std::string text = authorization->substr(kBearer.size());
  if (same_text(text, guard_.key().secret)) return {.proof = KeyGuard::Proof::kRight};
  // The wall's own key has no name, and nobody should send it.
  const auto key = wall_key_.secret.empty() ? Result<WallKey>(WallKey()) : read_key(text);
  if (!key || key->name.empty() || !same_text(text, key_text(key_named(wall_key_, key->name)))) {
    return wrong;
  }
  // The holder of another key of the wall, such as one that has ended, is not guessing.
  if (!opens_to_viewer(key->name, shown_)) return {};
  if (is_revoked_ && is_revoked_(key->name)) return {};
  return {KeyGuard::Proof::kRight, {end_of_key(key->name).value_or(kNever), key->name}};
}

std::optional<OfferDoor::Pass> OfferDoor::pass_of_token(const Exchange& exchange) {
  Token token = check(exchange->header("authorization"));
  const auto judged = guard_.judge(token.proof, exchange->peer().host, steady_now_ns());
  if (!judged.wrong) return std::move(token.pass);
  const bool too_many = judged.wrong->code == ErrorCode::kLimit;
  WebAnswer answer = too_many ? text_answer(kTooManyGuesses, judged.wrong->message)
                              : text_answer(kWrongToken, "wrong token");
  if (!too_many) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  answer_after(loop_, judged.delay_ms, exchange, completed(std::move(answer)));
  return std::nullopt;
}

bool OfferDoor::takes_offer(const Exchange& exchange) const {
  const std::string type = exchange->header("content-type").value_or("");
  if (lower(type.substr(0, type.find_first_of("; "))) != "application/sdp") {
    answer(exchange, kWrongType, "the offer must be application/sdp");
    return false;
  }
  if (exchange->body_size() == 0) {
    answer(exchange, kBadOffer, "the offer is empty, or its Content-Length is missing");
    return false;
  }
  if (exchange->body_size() > kMostOffer) {
    answer(exchange, kTooLarge, "the offer is too long");
    return false;
  }
  return true;
}

void OfferDoor::read_offer(const Exchange& exchange,
                           std::function<void(const std::string&)> on_offer,
                           std::function<void()> on_gone) const {
  auto offer = std::make_shared<std::string>();
  exchange->read_body({.on_bytes = [offer](std::string_view bytes) { offer->append(bytes); },
                       .on_end = [offer, heard = std::move(on_offer)] { heard(*offer); },
                       .on_gone = std::move(on_gone)});
}

void OfferDoor::answer_offer(const Exchange& exchange, const Result<std::string>& sdp,
                             const std::string& session) const {
  if (!sdp) {
    const bool theirs = sdp.error().code == ErrorCode::kInvalidParams;
    return answer(exchange, theirs ? kBadOffer : kNotNow, sdp.error().message);
  }
  exchange->answer(
      completed({.status = kOfferTaken,
                 .headers = {{"Content-Type", "application/sdp"}, {"Location", session}},
                 .body = *sdp}));
}

void OfferDoor::refuse_method(const Exchange& exchange, const char* allowed) const {
  WebAnswer refused = text_answer(kWrongMethod, "method not allowed");
  refused.headers.emplace_back("Allow", allowed);
  exchange->answer(completed(std::move(refused)));
}

void OfferDoor::answer_options(const Exchange& exchange, const char* allowed) const {
  exchange->answer(
      completed({.status = kNoContent,
                 .headers = {{"Allow", allowed},
                             {"Access-Control-Allow-Methods", allowed},
                             {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                             {"Access-Control-Max-Age", "86400"}},
                 .body = {}}));
}

void OfferDoor::answer(const Exchange& exchange, int status, std::string_view text) const {
  exchange->answer(completed(text_answer(status, text)));
}

}  // namespace sail
