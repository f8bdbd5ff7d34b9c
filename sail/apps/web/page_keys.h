// Decides which keys reach a web page. Shortcuts of the browser itself (open, save, print,
// developer tools) are blocked, because they give access to files of the machine. Pure.
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
    kAddress,  // a new address is requested
  };
  // key: KeyboardEvent.key of the DOM.
  Use take(const std::string& key, bool down);
  // The users have left: forgets held modifiers.
  void forget() { held_.clear(); }

 private:
  std::set<std::string> held_;  // Control, Alt, Meta, Shift
};

}  // namespace sail
