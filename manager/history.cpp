#include "manager/history.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace manager {
namespace {

std::string sentence(const Deed& deed, size_t windows, const std::string& title) {
  if (!deed.names_windows) return deed.verb;
  const std::string subject =
      windows == 1 ? fmt::format("'{}'", title) : fmt::format("{} windows", windows);
  return fmt::format("{} {}{}", deed.verb, subject, deed.rest);
}

// What was otherwise before both steps, and is after both.
void merge_before(LayoutChange& first, LayoutChange&& second) {
  first.windows.merge(std::move(second.windows));
  if (!first.order) first.order = std::move(second.order);
  if (!first.partitions) first.partitions = std::move(second.partitions);
}

void merge_after(LayoutChange& first, LayoutChange&& second) {
  second.windows.merge(std::move(first.windows));
  first.windows = std::move(second.windows);
  if (second.order) first.order = std::move(second.order);
  if (second.partitions) first.partitions = std::move(second.partitions);
}

size_t bytes(const LayoutChange& change) {
  constexpr size_t kNode = 32;  // of a map
  size_t sum = change.windows.size() * (sizeof(Standing) + kNode);
  if (change.order) sum += change.order->size() * sizeof(uint32_t);
  if (change.partitions) sum += change.partitions->all().size() * sizeof(Partition);
  return sum;
}

size_t bytes(const std::vector<SavedWindow>& windows) {
  size_t sum = windows.size() * sizeof(SavedWindow);
  for (const SavedWindow& window : windows) {
    if (!window.content) continue;
    for (const std::string& media : window.content->media)
      sum += sizeof(std::string) + media.size();
  }
  return sum;
}

size_t bytes(const HistoryEntry& entry) {
  return sizeof(entry) + bytes(entry.before) + bytes(entry.after) + bytes(entry.closed) +
         bytes(entry.opened) + entry.stack.size() * sizeof(uint32_t);
}

void renumber_in(LayoutChange& change, uint32_t old_number, uint32_t new_number) {
  if (auto node = change.windows.extract(old_number); !node.empty()) {
    node.key() = new_number;
    change.windows.insert(std::move(node));
  }
  if (change.order)
    std::replace(change.order->begin(), change.order->end(), old_number, new_number);
}

void renumber_in(std::vector<SavedWindow>& windows, uint32_t old_number, uint32_t new_number) {
  for (SavedWindow& window : windows) {
    if (window.number == old_number) window.number = new_number;
  }
}

}  // namespace

bool History::record(const Author& author, const Deed& deed, const std::string& title,
                     LayoutChange before, LayoutChange after) {
  HistoryEntry* newest = done_ == entries_.size() && !entries_.empty() ? &entries_.back() : nullptr;
  if (newest == nullptr || deed.gesture.empty() || newest->gesture != deed.gesture ||
      newest->author.client != author.client) {
    HistoryEntry entry{.author = author, .gesture = deed.gesture};
    entry.what = sentence(deed, after.windows.size(), title);
    entry.before = std::move(before);
    entry.after = std::move(after);
    add(std::move(entry));
    return true;
  }
  merge_before(newest->before, std::move(before));
  merge_after(newest->after, std::move(after));
  std::string what = sentence(deed, newest->after.windows.size(), title);
  const bool told = newest->what != what;
  newest->what = std::move(what);
  if (told) told_up_to_ = std::min(told_up_to_, newest->number - 1);
  return told;
}

void History::add(HistoryEntry entry) {
  // Where entries go, older ones come into the view of clients that see the newest only.
  if (done_ < entries_.size()) told_up_to_ = 0;
  entries_.resize(done_);
  entry.number = ++last_number_;
  entries_.push_back(std::move(entry));
  size_t sum = 0;
  size_t kept = 0;
  while (kept < std::min(entries_.size(), kMostEntries)) {
    sum += bytes(entries_[entries_.size() - 1 - kept]);
    if (sum > kMostBytes) break;
    ++kept;
  }
  entries_.erase(entries_.begin(), entries_.end() - static_cast<std::ptrdiff_t>(kept));
  done_ = entries_.size();
}

const HistoryEntry* History::next_undo() const {
  return done_ == 0 ? nullptr : &entries_[done_ - 1];
}

const HistoryEntry* History::next_redo() const {
  return done_ == entries_.size() ? nullptr : &entries_[done_];
}

HistoryEntry* History::undo() {
  return done_ == 0 ? nullptr : &entries_[--done_];
}

HistoryEntry* History::redo() {
  return done_ == entries_.size() ? nullptr : &entries_[done_++];
}

void History::renumber(uint32_t old_number, uint32_t new_number) {
  for (HistoryEntry& entry : entries_) {
    renumber_in(entry.before, old_number, new_number);
    renumber_in(entry.after, old_number, new_number);
    renumber_in(entry.closed, old_number, new_number);
    renumber_in(entry.opened, old_number, new_number);
    std::replace(entry.stack.begin(), entry.stack.end(), old_number, new_number);
  }
}

}  // namespace manager
