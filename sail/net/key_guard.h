// Who proves the right key, and how quickly wrong proofs may be tried. A right one is never kept
// waiting where it is looked at; answers to wrong ones are, the longer the more of them come from
// one network. Networks that go on are not listened to for a while, but for this host itself: its
// people must not lock each other out. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sail/base/result.h"
#include "sail/net/wall_key.h"

namespace sail {

class KeyGuard {
 public:
  // Wrong proofs of one network that are answered at once; and those after which no more are looked
  // at. One is forgotten every kForgetNs.
  static constexpr int kFreeGuesses = 5;
  static constexpr int kMostGuesses = 20;
  static constexpr int64_t kForgetNs = 3'000'000'000;
  static constexpr int64_t kLongestDelayMs = 1000;
  static constexpr size_t kMostNetworks = 1024;

  enum class Given : uint8_t { kNothing, kWrong, kRight };
  struct Judgement {
    std::optional<Error> wrong;  // kUnauthorized, or kLimit: it was not looked at
    int64_t delay_ms = 0;        // to be kept before the answer
  };

  // A key without a secret: everybody is welcome.
  explicit KeyGuard(WallKey key) : key_(std::move(key)) {}

  bool everybody_is_welcome() const { return key_.secret.empty(); }
  const WallKey& key() const { return key_; }
  // host: where it came from.
  Judgement judge(Given given, const std::string& host, int64_t now_ns);

 private:
  struct Guesses {
    int64_t count = 0;
    int64_t since_ns = 0;  // when the count was right
  };
  void forget_some(int64_t now_ns);
  static int64_t left(const Guesses& guesses, int64_t now_ns);

  const WallKey key_;
  std::map<std::string, Guesses> networks_;
};

}  // namespace sail
