// One exchange with a projector by PJLink, class 1, which projectors of class 2 speak, too. The
// projector greets, with a random number if it wants a password; then each command gets an answer.
// Lines end with CR. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/core/wire/power.h"

namespace receiver {

class PjlinkExchange {
 public:
  static constexpr size_t kMaxLine = 256;

  // After kOn and kOff, the state is asked, too. password: empty if there is none.
  PjlinkExchange(sail::PowerOrder order, std::string password)
      : order_(order), password_(std::move(password)) {}

  // Takes received bytes. Returns the bytes to send; may be empty.
  std::string take(std::string_view bytes);
  // The state of the display, when the exchange has ended. kUnauthorized: the password is missing
  // or wrong. kUnavailable: the projector refuses the command. kBadData: this is not PJLink.
  const std::optional<sail::Result<sail::PowerState>>& result() const { return result_; }

 private:
  std::string take_line(std::string_view line);
  std::string greeted(std::string_view greeting);
  std::string answered(std::string_view value);
  std::string command(bool query);
  std::string end(sail::Result<sail::PowerState> result);

  const sail::PowerOrder order_;
  const std::string password_;
  std::string line_;  // received so far
  bool greeted_ = false;
  bool queried_ = false;
  std::optional<sail::Result<sail::PowerState>> result_;
};

}  // namespace receiver
