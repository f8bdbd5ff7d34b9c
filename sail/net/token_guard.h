// Who says the right token, and how quickly wrong ones may be tried. A right token is never kept
// waiting where it is looked at; answers to wrong ones are, the longer the more of them come from
// one network. Networks that go on are not listened to for a while, but for this host itself: its
// people must not lock each other out. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sail/base/result.h"

namespace sail {

class TokenGuard {
 public:
  // Wrong tokens of one network that are answered at once; and those after which no more are looked
  // at. One is forgotten every kForgetNs.
  static constexpr int kFreeGuesses = 5;
  static constexpr int kMostGuesses = 20;
  static constexpr int64_t kForgetNs = 3'000'000'000;
  static constexpr int64_t kLongestDelayMs = 1000;
  static constexpr size_t kMostNetworks = 1024;

  struct Judgement {
    std::optional<Error> wrong;  // kUnauthorized, or kLimit: it was not looked at
    int64_t delay_ms = 0;        // to be kept before the answer
  };

  // An empty token: everybody is welcome.
  explicit TokenGuard(std::string token) : token_(std::move(token)) {}

  bool everybody_is_welcome() const { return token_.empty(); }
  // host: where it was said. Marked tokens (see token.h) are right, too.
  Judgement judge(std::string_view given, const std::string& host, int64_t now_ns);

 private:
  struct Guesses {
    int64_t count = 0;
    int64_t since_ns = 0;  // when the count was right
    size_t last_hash = 0;  // saying the same again is no other guess
  };
  void forget_some(int64_t now_ns);
  static int64_t left(const Guesses& guesses, int64_t now_ns);

  const std::string token_;
  std::map<std::string, Guesses> networks_;
};

}  // namespace sail
