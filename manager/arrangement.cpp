#include "manager/arrangement.h"

#include <algorithm>
#include <utility>

namespace manager {

sail::Result<Window*> Arrangement::open(Window window) {
  find_partition(window);
  return windows_.open(std::move(window));
}

Window* Arrangement::replace(uint32_t number, Window window) {
  const Window& former = *windows_.find(number);
  window.locked = former.locked;
  window.before_maximised = former.before_maximised;
  window.changed_by = former.changed_by;
  find_partition(window);
  return windows_.replace(number, std::move(window));
}

void Arrangement::find_partition(Window& window) const {
  const Partition* around = partitions_.around(window.wall_rect);
  window.partition = around == nullptr ? "" : around->name;
}

Touched Arrangement::change(const LayoutChange& wanted, const Deed& deed, const Author& author) {
  LayoutChange before;
  Touched touched = apply(wanted, author, &before);
  if (touched.nothing()) return touched;
  LayoutChange after = now(before);
  const std::string title =
      before.windows.empty() ? "" : windows_.find(before.windows.rbegin()->first)->title;
  touched.history = history_.record(author, deed, title, std::move(before), std::move(after));
  return touched;
}

LayoutChange Arrangement::now(const LayoutChange& named) const {
  LayoutChange now;
  for (const auto& [number, standing] : named.windows) {
    if (const Window* window = windows_.find(number)) {
      now.windows.emplace(number, window->standing());
    }
  }
  if (named.order) now.order = windows_.order();
  if (named.partitions) now.partitions = partitions_;
  return now;
}

const HistoryEntry* Arrangement::next_step(bool back) const {
  return history_.next(back, [&](const HistoryEntry& entry) { return matters(entry, back); });
}

HistoryEntry* Arrangement::take_step(bool back) {
  return history_.take(back, [&](const HistoryEntry& entry) { return matters(entry, back); });
}

bool Arrangement::matters(const HistoryEntry& entry, bool back) const {
  const auto is_here = [this](const SavedWindow& window) {
    return windows_.find(window.number) != nullptr;
  };
  const auto can_come = [](const SavedWindow& window) { return window.content.has_value(); };
  return would_change(back ? entry.before : entry.after) ||
         std::ranges::any_of(back ? entry.opened : entry.closed, is_here) ||
         std::ranges::any_of(back ? entry.closed : entry.opened, can_come);
}

bool Arrangement::would_change(const LayoutChange& wanted) const {
  if (wanted.partitions && *wanted.partitions != partitions_) return true;
  if (wanted.order && windows_.would_reorder(*wanted.order)) return true;
  return std::ranges::any_of(wanted.windows, [this](const auto& one) {
    const Window* window = windows_.find(one.first);
    return window != nullptr && window->standing() != one.second;
  });
}

Touched Arrangement::apply(const LayoutChange& wanted, const Author& author, LayoutChange* before) {
  Touched touched;
  if (wanted.partitions && *wanted.partitions != partitions_) {
    if (before != nullptr) before->partitions = partitions_;
    partitions_ = *wanted.partitions;
    touched.partitions = true;
  }
  for (const auto& [number, standing] : wanted.windows) {
    Window* window = windows_.find(number);
    if (window == nullptr || window->standing() == standing) continue;
    if (before != nullptr) before->windows.emplace(number, window->standing());
    window->stand(standing);
    window->changed_by = author.name;
    find_partition(*window);
    touched.windows.push_back(number);
  }
  if (touched.partitions) {
    for (const uint32_t number : windows_.order()) {
      Window& window = *windows_.find(number);
      const std::string old = std::exchange(window.partition, {});
      find_partition(window);
      if (window.partition != old) touched.windows.push_back(number);
    }
  }
  if (wanted.order) {
    std::vector<uint32_t> order = windows_.order();
    touched.order = windows_.reorder(*wanted.order);
    if (touched.order && before != nullptr) before->order = std::move(order);
  }
  return touched;
}

}  // namespace manager
