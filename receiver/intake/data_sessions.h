// The connections to the data port. Anybody can open one, so the number without a granted request
// is limited. At the limit, a new connection evicts an old one, so that idle connections cannot
// lock others out. Loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "receiver/intake/data_session.h"
#include "receiver/intake/memory_budget.h"

namespace receiver {

class DataSessions {
 public:
  using Map = std::map<uint64_t, std::unique_ptr<DataSession>>;  // by id; oldest first

  // `trim` is called when a session ends and its memory is freed; it must outlive this.
  explicit DataSessions(MemoryTrim& trim) : trim_(trim) {}

  // Adds a session. May evict another one without notice.
  void add(std::unique_ptr<DataSession> session);
  // Evicts half of the sessions without a granted request, those without any request first.
  void make_room();
  // Marks a session as granted; it no longer counts towards the limit.
  void granted(uint64_t id) { granted_.insert(unproven_.extract(id)); }
  // Sends the reason to the peer and removes the session.
  void end(uint64_t id, sail::CloseReason reason, const std::string& text);
  void remove(uint64_t id);

  // Returns null if the session does not exist (any more).
  DataSession* find(uint64_t id) const;
  // Returns the sessions without a granted request.
  const Map& unproven() const { return unproven_; }
  // Returns any session, or null.
  DataSession* any() const;

 private:
  void end_one();

  MemoryTrim& trim_;
  Map unproven_;
  Map granted_;
};

}  // namespace receiver
