// For lines of the log that strangers can provoke as often as they like: of each kind and place one
// is written a minute, the first at once. What comes within the minute is only counted, and the
// count is told with the next line, or by settle().
//
//   RareLog rare(log);
//   rare.warning("key", network_of(host), steady_now_ns(), "{} guesses keys", host);
//   ...
//   10.0.0.7:4711 guesses keys
//   10.0.0.7:4902 guesses keys (and 3100 more since the last such line)
//
// Memory is bounded, whatever comes: places beyond kMostPlaces share one line a kind. Thread: the
// owner's.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sail/base/log.h"

namespace sail {

class RareLog {
 public:
  static constexpr int64_t kEveryNs = 60'000'000'000;
  static constexpr size_t kMostPlaces = 256;

  explicit RareLog(Log log) : log_(std::move(log)) {}

  // kind: what happened, in a word or two of our own. place: where it came from, without what
  // changes with every attempt (a port); may be empty. The text is only made when it is written.
  template <typename... Args>
  void warning(std::string_view kind, std::string_view place, int64_t now_ns,
               fmt::format_string<Args...> text, Args&&... args) {
    const auto left_out = admit(kind, place, now_ns);
    if (left_out) write(fmt::format(text, std::forward<Args>(args)...), *left_out);
  }

  // Tells what was left out in minutes that are over, and forgets them. To be called now and then,
  // so that the end of a flood is told, too.
  void settle(int64_t now_ns);

 private:
  struct Said {
    int64_t since_ns = 0;
    uint64_t left_out = 0;
  };
  using Key = std::pair<std::string, std::string>;  // kind, place

  // How many were left out since the last line, when the next one is to be written.
  std::optional<uint64_t> admit(std::string_view kind, std::string_view place, int64_t now_ns);
  void write(std::string_view text, uint64_t left_out) const;

  const Log log_;
  std::map<Key, Said> said_;
};

}  // namespace sail
