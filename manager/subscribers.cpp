#include "manager/subscribers.h"

#include <algorithm>

#include "manager/session.h"

namespace manager {

uint64_t Subscribers::session_id(const Session& session) {
  return session.id();
}

bool Subscribers::anybody_wants(bool Wants::*what) const {
  return std::any_of(all_.begin(), all_.end(),
                     [what](const auto& entry) { return entry.second.wants.*what; });
}

void Subscribers::tell(std::string_view line) const {
  for (const auto& [id, subscriber] : all_) subscriber.session->peer().send_line(line);
}

void Subscribers::offer(bool Wants::*what, std::string_view line) const {
  for (const auto& [id, subscriber] : all_) {
    if (subscriber.wants.*what) subscriber.session->peer().offer_line(line);
  }
}

}  // namespace manager
