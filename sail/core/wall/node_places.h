// The sections of a wall file about where programs run ("receivers", "apps", "standby"), the
// manager's options ("manager"), and the proxy in front of the page ("proxy"). Pure.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sail/core/wall/wall.h"

namespace sail {

inline void check_name(JsonFields& fields, const char* key, const std::string& name) {
  if (name.empty()) fields.mistake(key, "must not be empty");
}

// Reads the words of a command line; none if the field is missing.
std::vector<std::string> read_words(JsonFields& fields, const char* key, const char* mistake);
// Reads the field "power" of a wall, a receiver or a tile.
std::optional<PowerControl> read_own_power(JsonFields& fields);

// Collects all mistakes of a file in one error, one per line.
class Mistakes {
 public:
  void add(const Error& error) {
    if (!error_) error_ = fail(error.code, "");
    std::string_view rest = error.message;
    while (!rest.empty() && lines_ <= kMost) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (lines_ > 0) error_->message += '\n';
      error_->message += lines_ == kMost ? "and more" : line;
      ++lines_;
    }
  }
  void add(std::string sentence) { add(fail(ErrorCode::kInvalidParams, std::move(sentence))); }
  // The value, if there is one.
  template <typename T>
  std::optional<T> take(Result<T> read) {
    if (read) return std::move(*read);
    add(read.error());
    return std::nullopt;
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  static constexpr int kMost = 100;

  std::optional<Error> error_;
  int lines_ = 0;
};

// The first name that occurs twice, if any.
template <typename Items>
std::optional<std::string> repeated_name(const Items& items) {
  std::unordered_set<std::string_view> names;
  for (const auto& item : items) {
    if (!names.insert(item.name).second) return item.name;
  }
  return std::nullopt;
}

// Reads the field "launch"; empty if it is missing, wrong or "ssh".
std::string read_launch(JsonFields& fields);
// launch: for places with a host that have no field "launch".
Result<std::vector<ReceiverPlace>> read_receivers(const Json& list, const std::string& launch);
// Rejects apps with a receiver's name: both are nodes.
Result<std::vector<AppPlace>> read_apps(const Json& list,
                                        const std::vector<ReceiverPlace>& receivers,
                                        const std::string& launch);
Result<StandbyPlace> read_standby(const Json& object);
// Returns the section's "arguments".
Result<std::vector<std::string>> read_manager(const Json& object);
Result<ProxyPlace> read_proxy(const Json& object);

}  // namespace sail
