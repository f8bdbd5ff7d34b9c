#include "ui/client/named_windows.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "ui/client/answers.h"

namespace ui {
namespace {

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Finds windows with this title, else windows whose title contains the word. A word of digits and
// commas must be a whole title: it may be a wrong window number. Fails if several windows match.
sail::Result<std::vector<int64_t>> titled(const std::string& word, const sail::Json& windows) {
  std::vector<int64_t> alike;
  std::vector<int64_t> within;
  const std::string wanted = in_small_letters(word);
  const bool is_part = word.find_first_not_of("0123456789,-") != std::string::npos;
  for (const sail::Json& window : windows) {
    if (true_member(window, "hidden")) continue;
    const std::string title = in_small_letters(text_member(window, "title"));
    if (title == wanted) alike.push_back(number_member(window, "window"));
    if (is_part && title.find(wanted) != std::string::npos)
      within.push_back(number_member(window, "window"));
  }
  std::vector<int64_t>& found = alike.empty() ? within : alike;
  if (found.size() == 1) return found;
  if (found.empty()) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("no window has the title '{}': see `vitrail ls`", word));
  }
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    fmt::format("'{}' matches windows {}: give one number, or several as {}", word,
                                fmt::join(found, " and "), fmt::join(found, ",")));
}

}  // namespace

std::vector<int64_t> window_numbers(const std::string& word) {
  std::vector<int64_t> numbers;
  const char* at = word.data();
  const char* const end = at + word.size();
  while (at < end) {
    int64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 1 || (rest != end && *rest != ',')) return {};
    numbers.push_back(number);
    at = rest == end ? end : rest + 1;
  }
  return word.ends_with(',') ? std::vector<int64_t>() : numbers;
}

sail::Result<std::vector<int64_t>> named_windows(const std::vector<std::string>& words,
                                                 const sail::Json& windows) {
  std::vector<int64_t> named;
  for (const std::string& word : words) {
    std::vector<int64_t> numbers = window_numbers(word);
    if (word == "all") {
      for (const sail::Json& window : windows) {
        const bool is_window = !true_member(window, "hidden") && !window.contains("decoration");
        if (is_window) numbers.push_back(number_member(window, "window"));
      }
    } else if (numbers.empty()) {
      auto found = titled(word, windows);
      if (!found) return found.error();
      numbers = *std::move(found);
    }
    for (const int64_t number : numbers) {
      if (std::ranges::find(named, number) == named.end()) named.push_back(number);
    }
  }
  return named;
}

sail::Result<sail::Json> call_for_all_windows(sail::RpcClient& client, std::string_view verb) {
  auto whole = client.call(verb, sail::Json::object());
  while (whole) {
    const size_t known = member(*whole, "windows").size();
    if (static_cast<int64_t>(known) >= number_member(*whole, "total")) break;
    auto next = client.call(verb, {{"skip", known}});
    if (!next) return next;
    const sail::Json windows = member(*next, "windows");
    if (windows.empty()) break;
    for (const sail::Json& window : windows) (*whole)["windows"].push_back(window);
  }
  return whole;
}

}  // namespace ui
