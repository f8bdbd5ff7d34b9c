// The UI clients that hear of changes, and what each wants beside the state. Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace manager {

class Session;

class Subscribers {
 public:
  // What a client may want or not. All of it is told again soon, so that it may be left out for a
  // client that is slow.
  struct Wants {
    bool figures = false;
    bool pointers = false;
  };

  // The session's end must be told by remove(). Again: its wishes are replaced.
  void add(Session& session, const Wants& wants) { all_[session_id(session)] = {&session, wants}; }
  void remove(uint64_t session) { all_.erase(session); }
  bool has(uint64_t session) const { return all_.contains(session); }
  bool empty() const { return all_.empty(); }
  bool anybody_wants(bool Wants::*what) const;

  // Everybody hears of the state: who can't keep up is disconnected in the end.
  void tell(std::string_view line) const;
  // Those who want it, unless too much else still waits to be sent to them.
  void offer(bool Wants::*what, std::string_view line) const;

 private:
  struct Subscriber {
    Session* session = nullptr;
    Wants wants;
  };
  static uint64_t session_id(const Session& session);

  std::map<uint64_t, Subscriber> all_;  // by session
};

}  // namespace manager
