// Windows whose program is gone without having closed them: those on nodes of the wall file, and
// all others if the wall's rule is to keep lost windows (sail::LostWindow). They stay on the wall,
// and show the reason and time. If their content is known, the program is restarted on its host; if
// that is lost, or the start fails, on the node's other host, if there is one. Other programs may
// return. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Desk;
class Peers;
class Players;
struct Window;

class OrphanWindows {
 public:
  // All must outlive this object.
  OrphanWindows(sail::Loop& loop, Desk& desk, Peers& peers, Players& players, const sail::Log& log);

  // An application has left. If its program does not reconnect, ends and restarts it.
  void peer_left(const sail::ServicePeer& peer);
  // See Players::Options::on_ended.
  void program_ended(const std::string& name, bool failed, const std::string& why);

 private:
  // Whether the window stays on the wall without its program.
  bool stays(const Window& window) const;
  struct Program {
    explicit Program(sail::Loop& loop) : timer(loop) {}
    std::string key_name;  // Key name of the lost program.
    bool second = false;
    int64_t pause_ms = 0;
    bool isolated = false;  // This manager was cut off at the last check.
    sail::Timer timer;
  };
  // Returns those windows of the program that stay on the wall.
  std::vector<uint32_t> windows_of(const std::string& name) const;
  void await_return(uint32_t number);
  bool is_back(uint32_t number);
  Program& lose(uint32_t number, const std::string& name, const std::string& why);
  void mark_lost(uint32_t number, const std::string& why);
  void start_later(uint32_t number);
  void start(uint32_t number);

  sail::Loop& loop_;
  Desk& desk_;
  Peers& peers_;
  Players& players_;
  sail::Log log_;
  std::map<uint32_t, Program> programs_;  // By window.
};

}  // namespace manager
