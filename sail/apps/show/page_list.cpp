#include "sail/apps/show/page_list.h"

#include <algorithm>

#include "sail/apps/show/still_file.h"

namespace sail {

PageList PageList::read(const std::vector<std::string>& files,
                        std::vector<std::string>& complaints) {
  std::vector<int> pages_each;
  for (const std::string& file : files) {
    const auto still = open_still(file);
    pages_each.push_back(still ? (*still)->pages() : 0);
    if (!still) complaints.push_back(still.error().message);
  }
  return PageList(pages_each);
}

PageList::PageList(const std::vector<int>& pages_each) {
  for (size_t file = 0; file < pages_each.size(); ++file) {
    for (int page = 0; page < pages_each[file] && pages_.size() < kMostPages; ++page) {
      pages_.push_back({file, page});
    }
  }
}

bool PageList::turn_to(int number) {
  const int wanted = std::clamp(number, 1, count());
  if (wanted == number_) return false;
  number_ = wanted;
  return true;
}

bool PageList::turn_by(int pages, bool loop) {
  const int wanted = number_ + pages;
  if (loop && wanted > count()) return turn_to(1);
  if (loop && wanted < 1) return turn_to(count());
  return turn_to(wanted);
}

}  // namespace sail
