// Answers to HTTP requests with an Idempotency-Key, kept for ten minutes, so that a repeated
// request gets the same answer and changes nothing. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace manager {

class RecentAnswers {
 public:
  static constexpr int64_t kKeepNs = 600'000'000'000;
  static constexpr size_t kMostAnswers = 1000;
  static constexpr size_t kMostBytes = 8 << 20;  // total of all answers
  static constexpr size_t kMostKeyBytes = 255;

  struct Answer {
    int status = 0;
    std::string body{};
  };
  enum class Refusal { kRunning, kOtherBody, kFull };
  struct New {};

  // name: identifies caller, verb and key. Returns New if the request must run; call finish() then.
  std::variant<New, Answer, Refusal> begin(const std::string& name, const std::string& body_hash,
                                           int64_t now_ns);
  void finish(const std::string& name, Answer answer);

 private:
  struct Entry {
    std::string body_hash;
    int64_t since_ns = 0;
    std::optional<Answer> answer{};  // empty: the request is running
    std::list<std::string>::iterator age{};
  };
  // Drops the oldest answer that matches. Returns false if no answer matches.
  bool drop_oldest(int64_t older_than_ns);

  std::map<std::string, Entry> entries_;
  std::list<std::string> by_age_;  // oldest first
  size_t bytes_ = 0;
};

}  // namespace manager
