// A number of places, shared fairly among networks: when all are taken, whoever is there longest of
// the network that has the most makes room. So one network can crowd out itself, but not others,
// and places that are taken and not used keep nobody waiting. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace sail {

class FairPlaces {
 public:
  explicit FairPlaces(size_t places) : places_(places) {}

  size_t taken() const { return all_.size(); }
  bool full() const { return taken() >= places_; }
  // id: not there yet. network: as network_of() has it. More than there are places may be there.
  void enter(uint64_t id, const std::string& network);
  // Nothing happens when it is not there.
  void leave(uint64_t id);
  // Who makes room. There must be somebody.
  uint64_t next_to_go() const;

 private:
  struct Place {
    uint64_t entry;  // counts those who entered
    std::string network;
  };

  const size_t places_;
  uint64_t entries_ = 0;
  std::map<uint64_t, Place> all_;                                 // by id
  std::map<std::string, std::map<uint64_t, uint64_t>> networks_;  // ids by entry
};

}  // namespace sail
