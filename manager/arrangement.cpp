#include "manager/arrangement.h"

#include <utility>

namespace manager {

sail::Result<Window*> Arrangement::open(Window window, const Window* replaces) {
  const uint32_t replaced = replaces == nullptr ? 0 : replaces->number;
  if (replaces != nullptr) {
    window.locked = replaces->locked;
    window.before_maximised = replaces->before_maximised;
    window.changed_by = replaces->changed_by;
  }
  find_partition(window);
  auto opened = windows_.open(std::move(window), replaces);
  if (opened && replaced != 0) history_.renumber(replaced, (*opened)->number);
  return opened;
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
