// Rate-limited log for lines that unauthenticated peers can provoke. For each kind and place one
// line per minute is written, the first at once. Further lines within the minute are only counted;
// the count is reported with the next line or by flush().
//
//   RateLimitedLog rare(log);
//   rare.warning("key", network_of(host), steady_now_ns(), "{} guesses keys", host);
//   ...
//   10.0.0.7:4711 guesses keys
//   10.0.0.7:4902 guesses keys (and 3100 more since the last such message)
//
// Memory is bounded: places beyond kMostPlaces share one line per kind. Used on the owner's thread.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sail/core/base/log.h"

namespace sail {

class RateLimitedLog {
 public:
  static constexpr int64_t kEveryNs = 60'000'000'000;
  static constexpr size_t kMostPlaces = 256;

  explicit RateLimitedLog(Log log) : log_(std::move(log)) {}

  // kind: a fixed short description of the event. place: its origin without the parts that change
  // with every attempt (such as a port); may be empty. The text is formatted only if it is written.
  template <typename... Args>
  void warning(std::string_view kind, std::string_view place, int64_t now_ns,
               fmt::format_string<Args...> text, Args&&... args) {
    const auto suppressed = admit(kind, place, now_ns);
    if (suppressed) write(fmt::format(text, std::forward<Args>(args)...), *suppressed);
  }

  // Reports the counts of minutes that have passed and discards them. Call now and then, so that
  // the end of a flood is reported, too.
  void flush(int64_t now_ns);

 private:
  struct Event {
    int64_t since_ns = 0;
    uint64_t suppressed = 0;
  };
  using Key = std::pair<std::string, std::string>;  // kind, place

  // Number of lines suppressed since the last one; empty if this line must be suppressed.
  std::optional<uint64_t> admit(std::string_view kind, std::string_view place, int64_t now_ns);
  void write(std::string_view text, uint64_t suppressed) const;

  const Log log_;
  std::map<Key, Event> events_;
};

}  // namespace sail
