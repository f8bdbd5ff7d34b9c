#include "manager/api/recent_answers.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace manager {
namespace {

constexpr int64_t kAnyAge = std::numeric_limits<int64_t>::max();

}  // namespace

std::variant<RecentAnswers::New, RecentAnswers::Answer, RecentAnswers::Refusal>
RecentAnswers::begin(const std::string& name, const std::string& body_hash, int64_t now_ns) {
  while (drop_oldest(now_ns - kKeepNs)) {
  }
  const auto known = entries_.find(name);
  if (known != entries_.end()) {
    const Entry& entry = known->second;
    if (entry.body_hash != body_hash) return Refusal::kOtherBody;
    if (!entry.answer) return Refusal::kRunning;
    return *entry.answer;
  }
  if (entries_.size() >= kMostAnswers && !drop_oldest(kAnyAge)) return Refusal::kFull;
  const auto age = by_age_.insert(by_age_.end(), name);
  entries_.emplace(name, Entry{.body_hash = body_hash, .since_ns = now_ns, .age = age});
  return New();
}

void RecentAnswers::finish(const std::string& name, Answer answer) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  bytes_ += answer.body.size();
  found->second.answer = std::move(answer);
  while (bytes_ > kMostBytes && drop_oldest(kAnyAge)) {
  }
}

bool RecentAnswers::drop_oldest(int64_t older_than_ns) {
  const auto oldest = std::ranges::find_if(
      by_age_, [this](const std::string& name) { return entries_.at(name).answer.has_value(); });
  if (oldest == by_age_.end()) return false;
  const auto found = entries_.find(*oldest);
  if (found->second.since_ns > older_than_ns) return false;
  bytes_ -= found->second.answer->body.size();
  entries_.erase(found);
  by_age_.erase(oldest);
  return true;
}

}  // namespace manager
