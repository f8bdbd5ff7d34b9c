#include "manager/arrangement.h"

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
  LayoutChange after;
  std::string title;
  for (const auto& [number, standing] : before.windows) {
    const Window* window = windows_.find(number);
    after.windows.emplace(number, window->standing());
    title = window->title;
  }
  if (before.order) after.order = windows_.order();
  if (before.partitions) after.partitions = partitions_;
  touched.history = history_.record(author, deed, title, std::move(before), std::move(after));
  return touched;
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
