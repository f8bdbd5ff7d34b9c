// The connections to the data port. Anybody can open one; those that were granted nothing yet are
// few, and when there are too many the newest one is taken up at the cost of the oldest, so that
// whoever opens connections and says nothing keeps nobody out. Loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "receiver/data_session.h"

namespace receiver {

class DataSessions {
 public:
  using Map = std::map<uint64_t, std::unique_ptr<DataSession>>;  // by id, so oldest first

  // May end another one, without a word.
  void add(std::unique_ptr<DataSession> session);
  // Half of those that were granted nothing yet go, the silent first.
  void make_room();
  // It was granted what it wants, and counts as a stranger's no more.
  void granted(uint64_t id) { granted_.insert(unproven_.extract(id)); }
  void forget(uint64_t id);

  // Null: there is none (any more).
  DataSession* find(uint64_t id) const;
  // Those that were granted nothing yet.
  const Map& unproven() const { return unproven_; }
  // Any; null when there is none.
  DataSession* any() const;

 private:
  void end_one();

  Map unproven_;
  Map granted_;
};

}  // namespace receiver
