// Recently made previews, limited in bytes. Pure.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace manager {

// A JPEG; empty: the file has no preview.
using Preview = std::shared_ptr<const std::string>;

class PreviewCache {
 public:
  explicit PreviewCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Null if it is not cached.
  Preview find(const std::string& key);
  // Evicts the least recently used entries for it. An entry larger than the limit is not kept.
  void keep(const std::string& key, Preview preview);
  // Includes the keys and the overhead per entry.
  size_t bytes() const { return bytes_; }

 private:
  using Entry = std::pair<std::string, Preview>;
  static size_t bytes_of(const Entry& entry);
  void remove(std::list<Entry>::iterator entry);

  const size_t most_bytes_;
  size_t bytes_ = 0;
  std::list<Entry> entries_;  // Most recently used first.
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace manager
