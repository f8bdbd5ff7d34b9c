#include "receiver/recorder/revoked_links.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "sail/core/base/private_file.h"

namespace receiver {

sail::Result<void> RevokedLinks::read() {
  if (file_.empty()) return {};
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
    const std::string name = line.substr(0, line.find(':'));
    if (name.empty() || std::ranges::any_of(name, [](char c) { return c <= ' ' || c > '~'; })) {
      return sail::fail(
          sail::ErrorCode::kBadData,
          fmt::format("{}, line {}: expected a link's key, or its name before the colon",
                      file_.string(), number));
    }
    names.insert(name);
  }
  names_ = std::move(names);
  return {};
}

}  // namespace receiver
