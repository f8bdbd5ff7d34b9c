#include "tests/support/wall_state.h"

#include <algorithm>

#include "ui/client/answers.h"

namespace test {
namespace {

using ui::member;
using ui::number_member;

uint32_t window_number(const sail::Json& window) {
  return static_cast<uint32_t>(number_member(window, "window"));
}

std::vector<uint32_t> numbers(const sail::Json& list) {
  std::vector<uint32_t> numbers;
  for (const sail::Json& one : list) {
    if (one.is_number_integer()) numbers.push_back(one.get<uint32_t>());
  }
  return numbers;
}

// Appends the new history entries to those that the manager keeps.
sail::Json following_history(const sail::Json& before, sail::Json reported) {
  const sail::Json keep = member(reported, "keep");
  if (!reported.is_object() || !keep.is_array()) return reported;
  const auto bound = [&keep](size_t i) {
    return i < keep.size() && keep[i].is_number_integer() ? keep[i].get<int64_t>() : 0;
  };
  sail::Json entries = sail::Json::array();
  for (const sail::Json& entry : member(before, "entries")) {
    const int64_t number = number_member(entry, "number");
    if (number >= bound(0) && number <= bound(1)) entries.push_back(entry);
  }
  for (const sail::Json& entry : member(reported, "entries")) entries.push_back(entry);
  reported["entries"] = std::move(entries);
  reported.erase("keep");
  return reported;
}

}  // namespace

void WallState::begin(const sail::Json& answer) {
  *this = {};
  revision_ = static_cast<uint64_t>(number_member(answer, "revision"));
  for (const sail::Json& window : member(answer, "windows")) {
    order_.push_back(window_number(window));
  }
  take(answer);
}

bool WallState::apply(const sail::Json& changed) {
  const auto revision = static_cast<uint64_t>(number_member(changed, "revision"));
  if (revision != revision_ && revision != revision_ + 1) return false;
  revision_ = revision;
  take(changed);
  for (const uint32_t number : numbers(member(changed, "removed"))) {
    windows_.erase(number);
    std::erase(order_, number);
  }
  if (member(changed, "order").is_array()) order_ = numbers(changed["order"]);
  return true;
}

void WallState::take(const sail::Json& reported) {
  if (!reported.is_object()) return;
  for (const auto& [key, value] : reported.items()) {
    if (key == "windows") {
      for (const sail::Json& window : value) {
        if (const uint32_t number = window_number(window)) windows_[number] = window;
      }
    } else if (key == "receivers") {
      for (const sail::Json& one : value) receivers_[ui::text_member(one, "name")] = one;
    } else if (key == "history") {
      others_[key] = following_history(other(key), value);
    } else if (key != "revision" && key != "removed" && key != "order") {
      others_[key] = value;
    }
  }
}

const sail::Json& WallState::other(std::string_view key) const {
  static const sail::Json kNone;
  const auto it = others_.find(key);
  return it == others_.end() ? kNone : it->second;
}

}  // namespace test
