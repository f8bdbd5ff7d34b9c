#include "manager/wall/history.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <utility>

namespace manager {
namespace {

std::string sentence(const UndoLabel& undo_label, size_t windows, const std::string& title) {
  if (!undo_label.names_windows) return undo_label.verb;
  const std::string subject =
      windows == 1 ? fmt::format("'{}'", title) : fmt::format("{} windows", windows);
  return fmt::format("{} {}{}", undo_label.verb, subject, undo_label.rest);
}

// Merge two consecutive steps: keep the state before the first and the state after the second.
void merge_before(LayoutChange& first, LayoutChange&& second) {
  first.windows.merge(std::move(second.windows));
  if (!first.order) first.order = std::move(second.order);
  if (!first.partitions) first.partitions = std::move(second.partitions);
  if (!first.drawing) first.drawing = std::move(second.drawing);
}

void merge_after(LayoutChange& first, LayoutChange&& second) {
  second.windows.merge(std::move(first.windows));
  first.windows = std::move(second.windows);
  if (second.order) first.order = std::move(second.order);
  if (second.partitions) first.partitions = std::move(second.partitions);
  if (second.drawing) first.drawing = std::move(second.drawing);
}

// As JSON, which is larger than in memory.
size_t bytes(const std::optional<Drawing>& drawing) {
  constexpr size_t kStroke = 170, kPoint = 12;
  return drawing ? drawing->strokes().size() * kStroke + drawing->points() * kPoint : 0;
}

size_t bytes(const LayoutChange& change) {
  constexpr size_t kNode = 32;  // Overhead of a map node.
  size_t sum = change.windows.size() * (sizeof(WindowPlacement) + kNode);
  for (const auto& [number, placement] : change.windows) {
    if (placement.label) sum += placement.label->text.size();
    sum += bytes(placement.drawing);
  }
  if (change.order) sum += change.order->size() * sizeof(uint32_t);
  if (change.partitions) sum += change.partitions->all().size() * sizeof(Partition);
  return sum + bytes(change.drawing);
}

size_t bytes(const std::vector<SavedWindow>& windows) {
  size_t sum = windows.size() * sizeof(SavedWindow);
  for (const SavedWindow& window : windows) {
    sum += bytes(window.placement.drawing);
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

void forget_in(LayoutChange& change, uint32_t number) {
  change.windows.erase(number);
  if (change.order) std::erase(*change.order, number);
}

bool is_about(const HistoryEntry& entry, uint32_t number) {
  const auto is_it = [number](const SavedWindow& window) { return window.number == number; };
  return entry.before.windows.contains(number) || std::ranges::any_of(entry.closed, is_it) ||
         std::ranges::any_of(entry.opened, is_it);
}

bool changes_nothing(const HistoryEntry& entry) {
  return entry.before.windows.empty() && entry.before.order == entry.after.order &&
         !entry.before.partitions && !entry.before.drawing && entry.closed.empty() &&
         entry.opened.empty() && !entry.removed;
}

}  // namespace

HistoryEntry* History::gesture_of(const Author& author, const std::string& gesture) {
  if (gesture.empty() || done_ != entries_.size()) return nullptr;
  const auto newest =
      std::find_if(entries_.rbegin(), entries_.rend(),
                   [&](const HistoryEntry& entry) { return entry.author.client == author.client; });
  return newest != entries_.rend() && newest->gesture == gesture ? &*newest : nullptr;
}

bool History::record(const Author& author, const UndoLabel& undo_label, const std::string& title,
                     LayoutChange before, LayoutChange after) {
  HistoryEntry* const known = gesture_of(author, undo_label.gesture);
  if (known == nullptr) {
    HistoryEntry entry{.author = author, .gesture = undo_label.gesture};
    entry.what = sentence(undo_label, after.windows.size(), title);
    entry.before = std::move(before);
    entry.after = std::move(after);
    add(std::move(entry));
    return true;
  }
  bytes_ += bytes(before) + bytes(after);
  merge_before(known->before, std::move(before));
  merge_after(known->after, std::move(after));
  std::string what = sentence(undo_label, known->after.windows.size(), title);
  const bool renamed = known->what != what;
  known->what = std::move(what);
  if (renamed) reported_up_to_ = std::min(reported_up_to_, known->number - 1);
  return renamed;
}

void History::add(HistoryEntry entry) {
  remove_from(done_, [](const HistoryEntry& undone) { return !undone.note; });
  entry.number = ++last_number_;
  entry.at_s = std::time(nullptr);
  bytes_ += bytes(entry);
  entries_.push_back(std::move(entry));
  done_ = entries_.size();
  keep_bounds();
}

void History::note(const Author& author, std::string what) {
  const bool all_done = done_ == entries_.size();
  HistoryEntry entry{.number = ++last_number_, .note = true, .author = author};
  entry.what = std::move(what);
  entry.at_s = std::time(nullptr);
  bytes_ += bytes(entry);
  entries_.push_back(std::move(entry));
  if (all_done) done_ = entries_.size();
  size_t notes = 0;
  for (const HistoryEntry& known : entries_) notes += known.note ? 1 : 0;
  remove_from(0, [&](const HistoryEntry& known) {
    return known.note && notes > kMostNotes && notes-- > 0;
  });
  keep_bounds();
}

// When entries are removed, older ones move into the window of newest entries that clients see. So
// clients need the whole history again.
template <typename IsRemoved>
void History::remove_from(size_t first, const IsRemoved& is_removed) {
  for (size_t i = first; i < entries_.size();) {
    if (!is_removed(entries_[i])) {
      ++i;
      continue;
    }
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    if (i < done_) --done_;
    reported_up_to_ = 0;
  }
}

void History::drop_after(uint64_t number) {
  remove_from(0,
              [number](const HistoryEntry& known) { return !known.note && known.number > number; });
}

// Counts the bytes only when there may be too many: counting takes longer than most steps.
void History::keep_bounds() {
  size_t kept = std::min(entries_.size(), kMostEntries);
  if (bytes_ > kMostBytes) {
    const size_t most = kept;
    bytes_ = 0;
    for (kept = 0; kept < most; ++kept) {
      const size_t more = bytes(entries_[entries_.size() - 1 - kept]);
      if (bytes_ + more > kMostBytes) break;
      bytes_ += more;
    }
  }
  const size_t gone = entries_.size() - kept;
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(gone));
  done_ -= std::min(done_, gone);
}

std::optional<size_t> History::find(bool back, const Predicate& matters) const {
  const auto suits = [&](size_t at) { return !entries_[at].note && matters(entries_[at]); };
  for (size_t i = done_; back && i > 0; --i) {
    if (suits(i - 1)) return i - 1;
  }
  for (size_t i = done_; !back && i < entries_.size(); ++i) {
    if (suits(i)) return i;
  }
  return std::nullopt;
}

const HistoryEntry* History::next(bool back, const Predicate& matters) const {
  const auto found = find(back, matters);
  return found ? &entries_[*found] : nullptr;
}

HistoryEntry* History::take(bool back, const Predicate& matters) {
  const auto found = find(back, matters);
  if (!found) return nullptr;
  done_ = back ? *found : *found + 1;
  return &entries_[*found];
}

HistoryEntry* History::take_alone(bool back, const Predicate& matters) {
  const auto found = find(back, matters);
  if (!found) return nullptr;
  const auto at = entries_.begin() + static_cast<std::ptrdiff_t>(*found);
  const auto turn = entries_.begin() + static_cast<std::ptrdiff_t>(done_);
  if (back) {
    std::rotate(at, at + 1, turn);
    --done_;
  } else {
    std::rotate(turn, at, at + 1);
    ++done_;
  }
  const size_t place = back ? done_ : done_ - 1;
  for (size_t i = place; i < entries_.size(); ++i) entries_[i].number = ++last_number_;
  reported_up_to_ = 0;
  return &entries_[place];
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

bool History::forget(uint32_t number) {
  bool known = false;
  const auto is_it = [number](const SavedWindow& window) { return window.number == number; };
  remove_from(0, [&](HistoryEntry& entry) {
    if (entry.note) return false;
    known = known || is_about(entry, number);
    forget_in(entry.before, number);
    forget_in(entry.after, number);
    std::erase_if(entry.closed, is_it);
    std::erase_if(entry.opened, is_it);
    return changes_nothing(entry);
  });
  return known;
}

void History::adopt(std::vector<HistoryEntry> entries, size_t done) {
  entries_.assign(std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
  last_number_ = 0;
  for (HistoryEntry& entry : entries_) entry.number = ++last_number_;
  done_ = std::min(done, entries_.size());
  reported_up_to_ = 0;
  bytes_ = kMostBytes + 1;
  keep_bounds();
}

}  // namespace manager
