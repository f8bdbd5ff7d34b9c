#include "sail/apps/server/http/http_login.h"

#include <utility>

#include "sail/apps/server/rtsp/digest.h"
#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

using sail::WebAnswer;
using sail::WebExchange;

constexpr int64_t kNonceNs = 300 * sail::kSecondNs;

}  // namespace

HttpLogin::HttpLogin(sail::Loop& loop, const sail::WallKey& key)
    : loop_(loop),
      guard_(key),
      nonce_(sail::random_word()),
      nonce_since_ns_(sail::steady_now_ns()) {}

bool HttpLogin::proved(const std::shared_ptr<WebExchange>& exchange, const std::string& title) {
  if (guard_.allows_everybody()) return true;
  const int64_t now_ns = sail::steady_now_ns();
  if (now_ns - nonce_since_ns_ > kNonceNs) {
    old_nonce_ = std::exchange(nonce_, sail::random_word());
    nonce_since_ns_ = now_ns;
  }
  const std::string proof = exchange->header("authorization").value_or("");
  const auto judge = [&](const std::string& nonce) {
    return judge_digest(proof, exchange->method(), title, nonce, guard_.key());
  };
  auto given = judge(nonce_);
  if (given == sail::KeyGuard::Proof::kNone && !old_nonce_.empty()) {
    given = judge(old_nonce_);
  }
  const auto judged = guard_.judge(given, exchange->peer().host, now_ns);
  if (!judged.wrong) return true;
  WebAnswer ask = sail::text_answer(401, judged.wrong->message);
  ask.headers.emplace_back("WWW-Authenticate", digest_challenge(nonce_));
  if (judged.delay_ms == 0) {
    exchange->answer(std::move(ask));
    return false;
  }
  const uint64_t id = next_id_++;
  refusals_.emplace(id, sail::Timer(loop_))
      .first->second.start(judged.delay_ms, 0, [this, id, exchange, ask] {
        exchange->answer(ask);
        refusals_.erase(id);
      });
  return false;
}

}  // namespace server
