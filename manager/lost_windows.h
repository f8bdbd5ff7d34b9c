// Windows whose program ran on a node of the wall file and is gone: they stay, dimmed, and say why
// and since when, while their program is started again, on the node's second host if it has one.
// Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/net/loop.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Desk;
class Peers;
class Players;

class LostWindows {
 public:
  // All outlive this.
  LostWindows(sail::Loop& loop, Desk& desk, Peers& peers, Players& players, const sail::Log& log);

  // An application has left: of its windows these stay. Its program may come back by itself; if it
  // does not, it is ended.
  void peer_left(const sail::ServicePeer& peer);
  // As Players' on_node_ended.
  void program_ended(const std::string& name, bool failed, const std::string& why);

 private:
  struct Program {
    explicit Program(sail::Loop& loop) : timer(loop) {}
    std::string key_name;  // of the run that was lost
    bool second = false;
    int64_t pause_ms = 0;
    bool cut_off = false;  // this manager was, when it looked last
    sail::Timer timer;
  };
  // Windows of the program that are to stay.
  std::vector<uint32_t> windows_of(const std::string& name) const;
  void await_return(uint32_t number);
  bool is_back(uint32_t number);
  Program& lose(uint32_t number, const std::string& name, const std::string& why);
  void tell(uint32_t number, const std::string& why);
  void start_later(uint32_t number);
  void start(uint32_t number);

  sail::Loop& loop_;
  Desk& desk_;
  Peers& peers_;
  Players& players_;
  sail::Log log_;
  std::map<uint32_t, Program> programs_;  // by window
};

}  // namespace manager
