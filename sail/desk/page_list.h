// The pages of all files as one list, and which of them is shown. Pure but for `read`.
#pragma once

#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/desk/still_reader.h"

namespace sail {

class PageList {
 public:
  // Asks each file how many pages it has. What cannot be read is left out, with a sentence for
  // `complaints`.
  static PageList read(const std::vector<std::string>& files, std::vector<std::string>& complaints);
  // pages_each: of each file, from the first.
  explicit PageList(const std::vector<int>& pages_each);

  bool empty() const { return pages_.empty(); }
  int count() const { return static_cast<int>(pages_.size()); }
  // From 1.
  int number() const { return number_; }
  const StillPage& shown() const { return pages_[static_cast<size_t>(number_ - 1)]; }
  // False when it stays. Beyond the ends it is the first or last page, or with `loop` of turn_by
  // the list begins again.
  bool turn_to(int number);
  bool turn_by(int pages, bool loop);

 private:
  static constexpr size_t kMostPages = 100'000;

  std::vector<StillPage> pages_;
  int number_ = 1;
};

}  // namespace sail
