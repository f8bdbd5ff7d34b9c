// Checks authentication attempts and limits the rate of wrong proofs per network. A right proof is
// accepted without delay. Answers to wrong proofs are delayed more with each wrong proof from the
// same network. A network with too many wrong proofs is blocked for a while, right proofs included.
// This host is never blocked, so that its users cannot lock each other out. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/result.h"

namespace sail {

class KeyGuard {
 public:
  // Wrong proofs of one network: the first kFreeGuesses are answered without delay, and after
  // kMostGuesses the network is blocked. One wrong proof is forgotten every kForgetNs.
  static constexpr int kFreeGuesses = 5;
  static constexpr int kMostGuesses = 20;
  static constexpr int64_t kForgetNs = 3'000'000'000;
  static constexpr int64_t kLongestDelayMs = 1000;
  static constexpr size_t kMostNetworks = 1024;

  enum class Proof : uint8_t { kNone, kWrong, kRight };
  struct Judgement {
    std::optional<Error> wrong;  // kUnauthorized, or kLimit: blocked, the proof was not checked
    int64_t delay_ms = 0;        // time to wait before the answer
  };

  // A key without a secret: everybody is let in.
  explicit KeyGuard(WallKey key) : key_(std::move(key)) {}

  bool allows_everybody() const { return key_.secret.empty(); }
  const WallKey& key() const { return key_; }
  // host: numeric address of the peer.
  Judgement judge(Proof proof, const std::string& host, int64_t now_ns);

 private:
  struct Guesses {
    int64_t count = 0;
    int64_t since_ns = 0;  // time at which `count` was exact
  };
  void forget_some(int64_t now_ns);
  static int64_t left(const Guesses& guesses, int64_t now_ns);

  const WallKey key_;
  std::map<std::string, Guesses> networks_;
};

}  // namespace sail
