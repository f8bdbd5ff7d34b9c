#include "manager/media/finished_uploads.h"

#include <algorithm>
#include <utility>

namespace manager {

void FinishedUploads::add(Finished upload) {
  if (uploads_.size() == kMost) uploads_.pop_front();
  uploads_.push_back(std::move(upload));
}

const FinishedUploads::Finished* FinishedUploads::find(const std::string& id) const {
  const auto found = std::find_if(uploads_.begin(), uploads_.end(),
                                  [&id](const Finished& upload) { return upload.id == id; });
  return found == uploads_.end() ? nullptr : &*found;
}

void FinishedUploads::forget_before(int64_t at_ns) {
  while (!uploads_.empty() && uploads_.front().at_ns < at_ns) uploads_.pop_front();
}

}  // namespace manager
