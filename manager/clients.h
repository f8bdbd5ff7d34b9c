// The UI clients: the people at the wall, with their names and colours. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace manager {

// Who did something.
struct Author {
  uint64_t client = 0;  // 0: nobody who is there, such as a command line
  std::string name;
};

struct Client {
  std::string name;
  std::string colour;       // "#rrggbb"
  bool subscribed = false;  // hears of changes, so others hear of it
};

class Clients {
 public:
  // number: of its session. colour: empty to get one of the palette, if possible one that no other
  // client has.
  const Client& add(uint64_t number, std::string name, std::string colour);
  // False: it is no client, or was subscribed already.
  bool subscribe(uint64_t number);
  // Whether the others had heard of it.
  bool remove(uint64_t number);

  // By number.
  const std::map<uint64_t, Client>& all() const { return all_; }
  // Its name, or what to call a client without one.
  Author author(uint64_t number) const;

 private:
  std::map<uint64_t, Client> all_;
};

}  // namespace manager
