// Previews that were made lately, within a bound of bytes. Pure.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace manager {

// A JPEG; empty: none can be made of the file.
using Preview = std::shared_ptr<const std::string>;

class PreviewCache {
 public:
  explicit PreviewCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Null when it is not there.
  Preview find(const std::string& key);
  // Those that nobody asked for the longest go for it. One that is larger than all may be is not
  // kept.
  void keep(const std::string& key, Preview preview);
  // With the keys, and what an entry takes beside them.
  size_t bytes() const { return bytes_; }

 private:
  using Entry = std::pair<std::string, Preview>;
  static size_t bytes_of(const Entry& entry);
  void remove(std::list<Entry>::iterator entry);

  const size_t most_bytes_;
  size_t bytes_ = 0;
  std::list<Entry> entries_;  // the one that was asked for last is the first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace manager
