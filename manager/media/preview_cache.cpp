#include "manager/media/preview_cache.h"

#include <iterator>

namespace manager {
namespace {

constexpr size_t kEntryBytes = 256;  // Approximate overhead of both containers.

}  // namespace

size_t PreviewCache::bytes_of(const Entry& entry) {
  return 2 * entry.first.size() + entry.second->size() + kEntryBytes;
}

Preview PreviewCache::find(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->second;
}

void PreviewCache::keep(const std::string& key, Preview preview) {
  if (const auto before = by_key_.find(key); before != by_key_.end()) remove(before->second);
  entries_.emplace_front(key, std::move(preview));
  by_key_[key] = entries_.begin();
  bytes_ += bytes_of(entries_.front());
  while (bytes_ > most_bytes_) remove(std::prev(entries_.end()));
}

void PreviewCache::remove(std::list<Entry>::iterator entry) {
  bytes_ -= bytes_of(*entry);
  by_key_.erase(entry->first);
  entries_.erase(entry);
}

}  // namespace manager
