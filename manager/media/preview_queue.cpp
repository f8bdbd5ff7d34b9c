#include "manager/media/preview_queue.h"

#include <algorithm>
#include <utility>

namespace manager {

size_t PreviewQueue::running() const {
  return static_cast<size_t>(
      std::count_if(wanted_.begin(), wanted_.end(), [](const Wanted& one) { return one.running; }));
}

bool PreviewQueue::add(uint64_t request, const Job& job) {
  const auto same = std::find_if(wanted_.begin(), wanted_.end(),
                                 [&job](const Wanted& one) { return one.job.key == job.key; });
  if (same != wanted_.end()) {
    same->requests.push_back(request);
    return true;
  }
  if (wanted_.size() - running() >= kMostWaiting) return false;
  wanted_.push_back({.job = job, .requests = {request}});
  return true;
}

void PreviewQueue::leave(uint64_t request) {
  for (Wanted& one : wanted_) std::erase(one.requests, request);
  std::erase_if(wanted_, [](const Wanted& one) { return one.requests.empty() && !one.running; });
}

std::optional<PreviewQueue::Job> PreviewQueue::take() {
  if (running() >= kMostAtOnce) return std::nullopt;
  const auto next =
      std::find_if(wanted_.begin(), wanted_.end(), [](const Wanted& one) { return !one.running; });
  if (next == wanted_.end()) return std::nullopt;
  next->running = true;
  return next->job;
}

std::vector<uint64_t> PreviewQueue::done(const std::string& key) {
  const auto over = std::find_if(wanted_.begin(), wanted_.end(),
                                 [&key](const Wanted& one) { return one.job.key == key; });
  if (over == wanted_.end()) return {};
  std::vector<uint64_t> requests = std::move(over->requests);
  wanted_.erase(over);
  return requests;
}

}  // namespace manager
