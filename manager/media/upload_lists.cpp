#include "manager/media/upload_lists.h"

#include <algorithm>
#include <utility>

namespace manager {

bool UploadSlots::take(const std::string& upload, const std::string& address, int64_t now_ns) {
  if (has(upload, now_ns)) return true;
  std::erase_if(slots_, [&](const auto& entry) { return is_idle(entry.second, now_ns); });
  const auto of_address = std::count_if(slots_.begin(), slots_.end(), [&](const auto& entry) {
    return entry.second.address == address;
  });
  if (slots_.size() >= limits_.most) return false;
  if (static_cast<size_t>(of_address) >= limits_.most_of_address) return false;
  slots_[upload] = {.address = address, .touched_ns = now_ns};
  return true;
}

void UploadSlots::touch(const std::string& upload, int64_t now_ns) {
  const auto found = slots_.find(upload);
  if (found != slots_.end()) found->second.touched_ns = now_ns;
}

bool UploadSlots::has(const std::string& upload, int64_t now_ns) const {
  const auto found = slots_.find(upload);
  return found != slots_.end() && !is_idle(found->second, now_ns);
}

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
