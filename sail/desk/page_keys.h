// Which keys of people reach a web page. Those of the browser itself (open, save, print, its tools)
// do not: they lead to the files of the machine on which it runs. Pure.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace sail {

class PageKeys {
 public:
  enum class Use : uint8_t {
    kOfPage,
    kOfNobody,
    kAddress,  // another page is wanted
  };
  // key: DOM's KeyboardEvent.key.
  Use take(const std::string& key, bool down);
  // They do not look any more.
  void forget() { held_.clear(); }

 private:
  std::set<std::string> held_;  // Control, Alt, Meta, Shift
};

}  // namespace sail
