#include "sail/core/auth/key_guard.h"

#include <algorithm>

#include "sail/core/address/address.h"

namespace sail {
namespace {

constexpr int64_t kFirstDelayMs = 100;

int64_t delay_ms(int64_t guesses) {
  int64_t delay = kFirstDelayMs;
  for (int64_t i = KeyGuard::kFreeGuesses + 1; i < guesses; ++i) {
    if (delay >= KeyGuard::kLongestDelayMs) break;
    delay *= 2;
  }
  return guesses <= KeyGuard::kFreeGuesses ? 0 : std::min(delay, KeyGuard::kLongestDelayMs);
}

}  // namespace

int64_t KeyGuard::left(const Guesses& guesses, int64_t now_ns) {
  return std::max<int64_t>(guesses.count - (now_ns - guesses.since_ns) / kForgetNs, 0);
}

void KeyGuard::forget_some(int64_t now_ns) {
  std::erase_if(networks_, [now_ns](const auto& one) { return left(one.second, now_ns) == 0; });
  // An attacker with this many networks cannot be stopped by counting per network.
  if (networks_.size() >= kMostNetworks) networks_.clear();
}

KeyGuard::Judgement KeyGuard::judge(Proof proof, const std::string& host, int64_t now_ns) {
  if (allows_everybody()) return {};
  const std::string network = network_of(host);
  const auto known = networks_.find(network);
  if (known != networks_.end() && !is_loopback(host) &&
      left(known->second, now_ns) >= kMostGuesses) {
    return {
        Error{ErrorCode::kLimit, "too many wrong keys from this address: try again in a minute"},
        kLongestDelayMs};
  }
  if (proof == Proof::kRight) return {};
  const Error wrong{
      ErrorCode::kUnauthorized,
      "the key is missing or wrong: set VITRAIL_KEY_FILE to a file with one of the wall's keys"};
  if (proof == Proof::kNone) return {wrong, 0};

  if (known == networks_.end() && networks_.size() >= kMostNetworks) forget_some(now_ns);
  Guesses& guesses = networks_[network];
  const int64_t before = left(guesses, now_ns);
  const int64_t forgotten = guesses.count - before;
  guesses.since_ns = before == 0 ? now_ns : guesses.since_ns + forgotten * kForgetNs;
  guesses.count = std::min<int64_t>(before + 1, kMostGuesses);
  return {wrong, delay_ms(guesses.count)};
}

}  // namespace sail
