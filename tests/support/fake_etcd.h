// A server with etcd's JSON interface for leases, reads and transactions, as far as a witness needs
// it. Leases end only by revoke() or end_leases(). Runs on its own thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "sail/core/text/json.h"
#include "sail/core/wall/witness.h"

namespace test {

class FakeEtcd {
 public:
  FakeEtcd();
  ~FakeEtcd();
  FakeEtcd(const FakeEtcd&) = delete;
  FakeEtcd& operator=(const FakeEtcd&) = delete;

  sail::Witness witness() const;
  // From now on, all requests get this whole HTTP response; empty: the right one.
  void answer_always(const std::string& response);
  // From now on, connections are closed without an answer, or served again.
  void be_away(bool away);
  void end_leases();
  void put(const std::string& key, const std::string& value);
  // Empty: there is no such key.
  std::string value(const std::string& key) const;

 private:
  struct Entry {
    std::string value;  // in Base64
    std::string lease;
    int revision = 0;
  };

  void serve();
  std::string response_to(int connection);
  sail::Json obey(const std::string& path, const sail::Json& body);
  sail::Json transaction(const sail::Json& body);
  void end_lease(const std::string& lease);

  int listener_ = -1;
  uint16_t port_ = 0;
  mutable std::mutex mutex_;
  bool away_ = false;
  std::string always_;
  std::map<std::string, Entry> keys_;  // by the key in Base64
  std::set<std::string> leases_;
  int revision_ = 0;
  int64_t next_lease_ = 100;
  std::thread thread_;
};

}  // namespace test
