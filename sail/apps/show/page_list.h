// The pages of all files as one list, and the current page. Pure except read().
#pragma once

#include <string>
#include <vector>

#include "sail/apps/show/still_reader.h"
#include "sail/core/base/result.h"

namespace sail {

class PageList {
 public:
  // Reads each file's number of pages. Skips unreadable files with a message in `complaints`.
  static PageList read(const std::vector<std::string>& files, std::vector<std::string>& complaints);
  // pages_each: number of pages of each file.
  explicit PageList(const std::vector<int>& pages_each);

  bool empty() const { return pages_.empty(); }
  int count() const { return static_cast<int>(pages_.size()); }
  // From 1.
  int number() const { return number_; }
  const StillPage& shown() const { return pages_[static_cast<size_t>(number_ - 1)]; }
  // Returns false if the page does not change. Numbers outside the list give the first or last
  // page; turn_by with `loop` wraps around.
  bool turn_to(int number);
  bool turn_by(int pages, bool loop);

 private:
  static constexpr size_t kMostPages = 100'000;

  std::vector<StillPage> pages_;
  int number_ = 1;
};

}  // namespace sail
