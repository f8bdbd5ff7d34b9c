// The sections of a wall file that say where programs run ("receivers", "apps", "standby") and
// which proxy is in front of the page ("proxy"). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sail/wall/wall.h"

namespace sail {

inline void check_name(JsonFields& fields, const char* key, const std::string& name) {
  if (name.empty()) fields.mistake(key, "must not be empty");
}

// Collects all mistakes of a file in one error, one per line.
class Mistakes {
 public:
  void add(const Error& error) {
    if (!error_) {
      error_ = error;
    } else {
      error_->message += "\n" + error.message;
    }
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
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

Result<std::vector<ReceiverPlace>> read_receivers(const Json& list);
// Rejects apps with a receiver's name: both are nodes.
Result<std::vector<AppPlace>> read_apps(const Json& list,
                                        const std::vector<ReceiverPlace>& receivers);
Result<StandbyPlace> read_standby(const Json& object);
// Returns the section's "arguments".
Result<std::vector<std::string>> read_manager(const Json& object);
Result<ProxyPlace> read_proxy(const Json& object);

}  // namespace sail
