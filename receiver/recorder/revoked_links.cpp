#include "receiver/recorder/revoked_links.h"

#include <fmt/core.h>

#include <optional>
#include <sstream>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/private_file.h"

namespace receiver {
namespace {

// The name of the key in a line; empty: no key that opens a link can have it.
std::optional<std::string> name_in(const std::string& line) {
  constexpr std::string_view kInPage = "#key=";
  const size_t page = line.find(kInPage);
  const std::string text = page == std::string::npos ? line : line.substr(page + kInPage.size());
  const auto key = sail::read_key(text.substr(0, text.find(':')) + ':');
  if (!key || key->name.empty()) return std::nullopt;
  const std::string role = key->name.substr(0, key->name.find('/'));
  const bool opens = role == sail::kWatchRole ? sail::end_of_key(key->name).has_value()
                                              : sail::right_of(role) != sail::Right::kNone;
  return opens ? std::optional(key->name) : std::nullopt;
}

}  // namespace

sail::Result<void> RevokedLinks::read() {
  if (file_.empty()) return {};
  std::error_code unknown;  // read_file() says why
  const auto kind = std::filesystem::status(file_, unknown);
  if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind)) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("{} must be a regular file, because it is read again", file_.string()));
  }
  const auto text = sail::read_file(file_, kMostBytes);
  if (!text) return text.error();
  if (text->size() > kMostBytes) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{} has more than {} bytes", file_.string(), kMostBytes));
  }
  std::set<std::string, std::less<>> names;
  std::istringstream lines(*text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    auto name = name_in(line);
    if (!name) {
      return sail::fail(
          sail::ErrorCode::kBadData,
          fmt::format("{}, line {}: expected a link with an end, its key, or the key's name",
                      file_.string(), number));
    }
    names.insert(*std::move(name));
  }
  names_ = std::move(names);
  return {};
}

}  // namespace receiver
