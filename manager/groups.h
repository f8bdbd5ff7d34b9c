// Groups: streams that show equal presentation times in one swap. What each plays and when, and at
// which receiver its table is; of frames nothing is heard here. Thread: the loop's.
//
// A group is there as long as a window names it. The parts of a window's frames that are in no
// group are one of their own. A group with parts that are to wait for each other waits for all.
//
// Its table is at one receiver; should that go, at another, with a new secret. While peers of a
// former session are expected back, members keep the seats that they have, and then take new ones
// together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/net/tcp.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/group.h"

namespace manager {

class Desk;
class Peers;
struct ReceiverEntry;
struct Window;

class Groups {
 public:
  // Both outlive this.
  Groups(Desk& desk, Peers& peers, const sail::Log& log) : desk_(desk), peers_(peers), log_(log) {}

  // Whether the stream may be a member of the group that it names, if it names one; the group is
  // made if there is none. kConflict: the members disagree about their rate. kLimit.
  sail::Result<void> admit(const sail::OpenStream& open);
  // Whether the stream that takes that window's place can be a member of its group, too.
  bool keeps(const Window& former, double fps) const;
  // The application of that stream of the window was away, and takes it for a member of that group;
  // empty: of none.
  void came_back(const Window& window, uint32_t stream, const std::string& group);
  // The windows are members of that group; empty: of none.
  sail::Result<void> put(const std::string& name, const std::vector<uint32_t>& windows);
  // Pause, resume, seek and rate act on all of the window's group: false, when it has none, or
  // this is something else.
  bool control(const Window& window, std::string_view action, double value);
  // Windows, receivers or time have changed: everybody is told what is new to them.
  void look();
  // A receiver has told of its table.
  void absent(uint64_t receiver, const sail::GroupAbsent& absent);
  // As the verb "groups" answers.
  sail::Json told() const;

 private:
  // A group that has a name, or the parts of a window's frames that are in none.
  struct Key {
    std::string name;
    uint32_t window = 0;  // 0: by its name

    auto operator<=>(const Key&) const = default;
  };
  struct Member {
    const Window* window = nullptr;
    uint32_t stream = 0;
    uint64_t owner = 0;  // 0: gone
  };
  struct Group {
    sail::Timeline timeline{};
    double fps = 0;         // 0: unknown
    uint64_t receiver = 0;  // where its table is, a peer; 0: nowhere
    std::string receiver_name{};
    sail::Address table{};  // of that
    uint64_t secret = 0;
    std::vector<uint32_t> streams{};  // those that know
    bool waits = false;               // for all of them
  };
  // The group is there, and the windows may be members of it.
  sail::Result<void> admit(const std::string& name, const std::vector<uint32_t>& windows);
  // count: of its members, with this one.
  sail::Result<void> agree(const std::string& name, double fps, size_t count);
  static Key key_of(const Window& window);
  // Of each window that is of no group, but has parts.
  void find_parts();
  std::vector<Member> members(const Key& key) const;
  // Those of its members that are parts, and no others.
  void set_silent(const Key& key, const std::vector<uint32_t>& streams);
  // Where it is to be from now on, if it cannot stay. True: it has moved.
  bool place_table(Group& group) const;
  // Whom its table knows has changed.
  void tell_receivers();
  void tell(const Member& member, const Key& key, const Group& group) const;

  Desk& desk_;
  Peers& peers_;
  sail::Log log_;
  std::map<Key, Group> groups_;
  std::map<uint64_t, sail::GroupTables> told_;  // by receiver, a peer
};

}  // namespace manager
