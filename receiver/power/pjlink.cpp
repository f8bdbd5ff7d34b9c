#include "receiver/power/pjlink.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/auth/proof.h"
#include "sail/core/text/text.h"

namespace receiver {
namespace {

using sail::ErrorCode;
using sail::PowerState;

constexpr std::string_view kGreeting = "pjlink ";
constexpr std::string_view kHead = "%1powr=";

// Removes the prefix, whose letters may have any case.
bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!sail::same_word(text.substr(0, prefix.size()), prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

sail::Error not_pjlink(std::string_view line) {
  return sail::fail(ErrorCode::kBadData, fmt::format("the projector answered '{}', not PJLink",
                                                     sail::make_plain_text(line, 60)));
}

sail::Error wrong_password() {
  return sail::fail(ErrorCode::kUnauthorized,
                    "the projector refuses the password: check 'password_file'");
}

sail::Result<PowerState> state_of(std::string_view value) {
  if (value == "0") return PowerState::kOff;
  if (value == "1") return PowerState::kOn;
  if (value == "2") return PowerState::kCooling;
  if (value == "3") return PowerState::kWarming;
  return not_pjlink(value);
}

// The reason of "ERR1" … "ERR4".
const char* refusal_of(char number) {
  switch (number) {
    case '1':
      return "the projector does not know the command POWR";
    case '2':
      return "the projector refuses the parameter of POWR";
    case '3':
      return "the projector cannot answer now";
    case '4':
      return "the projector reports a failure of its own";
    default:
      return "the projector reports an unknown error";
  }
}

}  // namespace

std::string PjlinkExchange::take(std::string_view bytes) {
  std::string to_send;
  for (const char byte : bytes) {
    if (result_) break;
    if (byte != '\r' && line_.size() >= kMaxLine) {
      end(sail::fail(ErrorCode::kBadData, "the projector sends too long a line"));
    } else if (byte != '\r') {
      line_ += byte;
    } else {
      to_send += take_line(std::exchange(line_, {}));
    }
  }
  return to_send;
}

std::string PjlinkExchange::take_line(std::string_view line) {
  line = sail::trimmed(line);
  std::string_view rest = line;
  if (take_prefix(rest, kGreeting)) return greeted(rest);
  if (greeted_ && take_prefix(rest, kHead)) return answered(rest);
  return end(not_pjlink(line));
}

std::string PjlinkExchange::greeted(std::string_view greeting) {
  if (sail::same_word(greeting, "erra")) return end(wrong_password());
  if (std::exchange(greeted_, true)) return end(not_pjlink(greeting));
  if (greeting == "0") return command(order_ == sail::PowerOrder::kStatus);
  if (!take_prefix(greeting, "1 ") || greeting.empty()) return end(not_pjlink(greeting));
  if (password_.empty()) {
    return end(sail::fail(ErrorCode::kUnauthorized,
                          "the projector asks for a password: set 'password_file'"));
  }
  // Only the first command has the digest.
  return sail::md5_text(std::string(greeting) + password_) +
         command(order_ == sail::PowerOrder::kStatus);
}

std::string PjlinkExchange::answered(std::string_view value) {
  const bool refused = value.size() == 4 && sail::same_word(value.substr(0, 3), "err");
  if (refused && sail::lower(value[3]) == 'a') return end(wrong_password());
  // A projector that warms up or cools down refuses to be switched, but tells its state.
  const bool busy = refused && value[3] == '3' && !queried_;
  if (refused && !busy) return end(sail::fail(ErrorCode::kUnavailable, refusal_of(value[3])));
  if (queried_) return end(state_of(value));
  if (!busy && !sail::same_word(value, "ok")) return end(not_pjlink(value));
  return command(true);
}

std::string PjlinkExchange::command(bool query) {
  queried_ = query;
  const char parameter = query ? '?' : order_ == sail::PowerOrder::kOn ? '1' : '0';
  return fmt::format("%1POWR {}\r", parameter);
}

std::string PjlinkExchange::end(sail::Result<PowerState> result) {
  result_ = std::move(result);
  return {};
}

}  // namespace receiver
