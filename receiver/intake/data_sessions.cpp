#include "receiver/intake/data_sessions.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"

namespace receiver {

void DataSessions::add(std::unique_ptr<DataSession> session) {
  if (unproven_.size() == sail::kMaxUnprovenConnections) end_one();
  const uint64_t id = session->id();
  unproven_.emplace(id, std::move(session));
}

// A peer with a request may merely be early, so sessions without a request are evicted first.
void DataSessions::end_one() {
  const auto silent = std::find_if(unproven_.begin(), unproven_.end(),
                                   [](const auto& entry) { return entry.second->wants_nothing(); });
  unproven_.erase(silent == unproven_.end() ? unproven_.begin() : silent);
}

void DataSessions::make_room() {
  for (size_t more = (unproven_.size() + 1) / 2; more > 0; --more) end_one();
}

void DataSessions::end(uint64_t id, sail::CloseReason reason, const std::string& text) {
  if (DataSession* session = find(id)) session->close(reason, text);
  remove(id);
}

void DataSessions::remove(uint64_t id) {
  if (const DataSession* session = find(id)) trim_.freed(session->memory_bytes());
  unproven_.erase(id);
  granted_.erase(id);
}

DataSession* DataSessions::find(uint64_t id) const {
  for (const Map* sessions : {&granted_, &unproven_}) {
    const auto it = sessions->find(id);
    if (it != sessions->end()) return it->second.get();
  }
  return nullptr;
}

DataSession* DataSessions::any() const {
  if (!granted_.empty()) return granted_.begin()->second.get();
  return unproven_.empty() ? nullptr : unproven_.begin()->second.get();
}

}  // namespace receiver
