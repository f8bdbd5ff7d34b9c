#include "sail/net/token_guard.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "sail/base/token.h"
#include "sail/net/tcp.h"

namespace sail {
namespace {

constexpr int64_t kFirstDelayMs = 100;

int64_t delay_ms(int64_t guesses) {
  int64_t delay = kFirstDelayMs;
  for (int64_t i = TokenGuard::kFreeGuesses + 1; i < guesses; ++i) {
    if (delay >= TokenGuard::kLongestDelayMs) break;
    delay *= 2;
  }
  return guesses <= TokenGuard::kFreeGuesses ? 0 : std::min(delay, TokenGuard::kLongestDelayMs);
}

}  // namespace

int64_t TokenGuard::left(const Guesses& guesses, int64_t now_ns) {
  return std::max<int64_t>(guesses.count - (now_ns - guesses.since_ns) / kForgetNs, 0);
}

void TokenGuard::forget_some(int64_t now_ns) {
  std::erase_if(networks_, [now_ns](const auto& one) { return left(one.second, now_ns) == 0; });
  // Whoever has so many networks is not to be stopped by counting them one by one.
  if (networks_.size() >= kMostNetworks) networks_.clear();
}

TokenGuard::Judgement TokenGuard::judge(std::string_view given, const std::string& host,
                                        int64_t now_ns) {
  if (token_.empty()) return {};
  const std::string network = network_of(host);
  const auto known = networks_.find(network);
  if (known != networks_.end() && !is_loopback(host) &&
      left(known->second, now_ns) >= kMostGuesses) {
    return {Error{ErrorCode::kLimit,
                  "too many wrong tokens came from this address: try again in a minute"},
            kLongestDelayMs};
  }
  if (is_token_or_marked(given, token_)) return {};
  const Error wrong{ErrorCode::kUnauthorized,
                    "the token is missing or wrong: set VITRAIL_TOKEN to that of the wall"};
  if (given.empty()) return {wrong, 0};  // no guess

  if (known == networks_.end() && networks_.size() >= kMostNetworks) forget_some(now_ns);
  Guesses& guesses = networks_[network];
  const int64_t before = left(guesses, now_ns);
  const int64_t forgotten = guesses.count - before;
  guesses.since_ns = before == 0 ? now_ns : guesses.since_ns + forgotten * kForgetNs;
  const size_t hash = std::hash<std::string_view>()(given);
  const bool same = std::exchange(guesses.last_hash, hash) == hash && before > 0;
  guesses.count = std::min<int64_t>(before + (same ? 0 : 1), kMostGuesses);
  return {wrong, delay_ms(guesses.count)};
}

}  // namespace sail
