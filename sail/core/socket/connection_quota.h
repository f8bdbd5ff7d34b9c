// Connection quota, shared fairly among networks. When all places are taken, the oldest entry of
// the network with the most entries must leave. So one network can crowd out only itself, and idle
// connections do not block new ones. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace sail {

class ConnectionQuota {
 public:
  explicit ConnectionQuota(size_t places) : places_(places) {}

  size_t taken() const { return all_.size(); }
  bool full() const { return taken() >= places_; }
  // id: not present yet. network: from network_of(). Entries beyond the quota are accepted.
  void enter(uint64_t id, const std::string& network);
  // Does nothing if the id is not present.
  void leave(uint64_t id);
  // Returns the id that must leave. There must be at least one entry.
  uint64_t next_to_go() const;

 private:
  struct Place {
    uint64_t entry;  // sequence number: lower numbers entered earlier
    std::string network;
  };

  const size_t places_;
  uint64_t entries_ = 0;
  std::map<uint64_t, Place> all_;                                 // by id
  std::map<std::string, std::map<uint64_t, uint64_t>> networks_;  // ids by entry
};

}  // namespace sail
