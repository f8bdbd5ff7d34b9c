#include "manager/journal/wall_changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace manager {
namespace {

std::vector<uint32_t> arranged_front_to_back(const WindowStack& windows) {
  std::vector<uint32_t> order;
  for (const Window& window : windows.bottom_to_top()) {
    if (window.arranged()) order.push_back(window.number);
  }
  std::ranges::reverse(order);
  return order;
}

// Returns the windows whose position differs between two orders of the same windows. If one window
// passed several others, only that window counts.
std::vector<uint32_t> moved_windows(const std::vector<uint32_t>& before,
                                    const std::vector<uint32_t>& after) {
  const auto [first, now_first] = std::ranges::mismatch(before, after);
  const auto from = first - before.begin();
  const auto last_different =
      std::mismatch(before.rbegin(), before.rend(), after.rbegin(), after.rend()).first;
  const auto count = (before.rend() - last_different) - from;
  if (count <= 0) return {};
  const auto last = first + count - 1;
  if (count == 2) return {*first, *last};                      // Which of them moved is unknown.
  if (std::equal(first, last, now_first + 1)) return {*last};  // It came to the front.
  if (std::equal(first + 1, last + 1, now_first)) return {*first};  // It went to the back.
  return {first, last + 1};
}

}  // namespace

// ---- what changes

std::shared_ptr<const WallChanges::Verb> WallChanges::begin(bool of_program) {
  std::erase_if(verbs_, [](const auto& verb) { return verb.expired(); });
  if (verbs_.empty()) {
    first_change_ += changes_.size();
    changes_.clear();
  }
  running_ = ++last_verb_;
  auto verb =
      std::make_shared<const Verb>(Verb{last_verb_, first_change_ + changes_.size(), of_program});
  verbs_.push_back(verb);
  return verb;
}

void WallChanges::wall_changed(const Touched& touched) {
  bool same_windows = touched.removed.empty();
  for (const uint32_t number : touched.removed) {
    const auto known = windows_.find(number);
    if (known == windows_.end()) continue;
    add({.window = number, .before = std::move(known->second)});
    windows_.erase(known);
  }
  for (const uint32_t number : touched.windows) {
    if (window_changed(number)) same_windows = false;
  }
  if (touched.order || !same_windows) order_changed(same_windows);
  if (!touched.switches && !touched.partitions && !touched.drawing) return;
  if (auto now = wall_now(); *now != *wall_values_) {
    add({.wall_before = std::exchange(wall_values_, std::move(now))});
  }
}

bool WallChanges::window_changed(uint32_t number) {
  const Window* window = wall_.windows().find(number);
  if (window == nullptr) return false;
  const auto [known, opened] = windows_.try_emplace(number);
  WindowValues now = values_of(*window);
  if (!opened && known->second == now) return false;
  const bool appears = opened || known->second.hidden != now.hidden;
  std::optional<WindowValues> before;
  if (!opened) before = std::move(known->second);
  known->second = std::move(now);
  add({.window = number, .before = std::move(before)});
  return appears;
}

void WallChanges::order_changed(bool same_windows) {
  std::vector<uint32_t> now = arranged_front_to_back(wall_.windows());
  if (same_windows && now.size() == order_.size()) {
    for (const uint32_t number : moved_windows(order_, now)) {
      add({.window = number, .before = windows_[number], .order_before = order_of(number)});
    }
  }
  order_ = std::move(now);
}

size_t WallChanges::order_of(uint32_t window) const {
  const auto place = std::ranges::find(order_, window);
  return place == order_.end() ? 0 : static_cast<size_t>(place - order_.begin()) + 1;
}

void WallChanges::add(Change change) {
  bool any_verb = false;
  for (auto newest = verbs_.rbegin(); newest != verbs_.rend(); ++newest) {
    const auto verb = newest->lock();
    if (!verb) continue;
    any_verb = true;
    if (verb->of_program) continue;
    change.newest = verb->number;
    break;
  }
  if (!any_verb) return;
  change.running = running_;
  changes_.push_back(std::move(change));
  if (changes_.size() <= kMostKept) return;
  changes_.pop_front();
  ++first_change_;
}

// ---- what a verb has changed

std::string WallChanges::text(const Verb& verb, const std::vector<uint32_t>& named) const {
  struct Former {
    const Change* first;
    size_t order = 0;
  };
  std::map<uint32_t, Former> windows;
  const WallValues* wall_before = nullptr;
  for (size_t i = verb.begin - std::min(verb.begin, first_change_); i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    const bool later = !verb.of_program && named.empty() && change.newest == verb.number;
    const bool is_named =
        change.window != 0 && std::ranges::find(named, change.window) != named.end();
    if (change.running != verb.number && !later && !is_named) continue;
    if (change.window == 0) {
      if (wall_before == nullptr) wall_before = change.wall_before.get();
      continue;
    }
    Former& former = windows.try_emplace(change.window, Former{&change}).first->second;
    if (former.order == 0) former.order = change.order_before;
  }
  std::string json = "{";
  std::vector<uint32_t> changed;
  for (const auto& [number, former] : windows) {
    const auto known = windows_.find(number);
    const auto& before = former.first->before;
    const ShortChange change{before ? &*before : nullptr,
                             known == windows_.end() ? nullptr : &known->second, former.order,
                             former.order == 0 ? 0 : order_of(number)};
    const size_t begin = json.size();
    fmt::format_to(std::back_inserter(json), "{}\"{}\":", begin == 1 ? "" : ",", number);
    const bool differs = append_change(json, change);
    if (differs) changed.push_back(number);
    if (!differs || changed.size() > kMostChangedObjects) json.resize(begin);
  }
  if (changed.size() > kMostChangedObjects) {
    json = fmt::format(R"({{"windows":[{}])", fmt::join(changed, ","));
  }
  const size_t begin = json.size();
  json += begin == 1 ? "\"wall\":" : ",\"wall\":";
  if (wall_before == nullptr || !append_change(json, *wall_before, *wall_values_)) {
    json.resize(begin);
  }
  return json.size() == 1 ? "" : json + "}";
}

}  // namespace manager
