// Synchronisation groups: streams that show frames of equal presentation time in one swap. Manages
// the timeline and the members of each group, and chooses the receiver that holds the group's table
// (the coordinator). Frames do not pass through here. Runs on the loop thread.
//
// A group exists while a window names it. The ranks of a multi-sender window that names no group
// form an unnamed group. If some ranks must wait for each other, their group waits for all members.
//
// If the receiver with the table leaves, another receiver gets the table, with a new secret. While
// peers of an earlier session are expected back, members keep their seats; afterwards they get new
// ones together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/group.h"

namespace manager {

class Desk;
class Peers;
struct ReceiverEntry;
struct Window;

class Groups {
 public:
  // Both must outlive this object.
  Groups(Desk& desk, Peers& peers, const sail::Log& log) : desk_(desk), peers_(peers), log_(log) {}

  // Checks whether the stream may join the group that it names, if any. Creates a missing group.
  // kConflict: its frame rate differs from the group's. kLimit: too many groups or members.
  sail::Result<void> admit(const sail::OpenStream& open);
  // Whether a stream of this frame rate may replace `former` in its group.
  bool keeps(const Window& former, double fps) const;
  // The stream's application has reconnected. group: the stream's group according to the
  // application; empty: none.
  void stream_resumed(const Window& window, uint32_t stream, const std::string& group);
  // Makes the windows members of the group. An empty name removes them from their groups.
  sail::Result<void> put(const std::string& name, const std::vector<uint32_t>& windows);
  // Applies pause, resume, seek or rate to the window's whole group. Returns false if it has no
  // group, or for other actions.
  bool control(const Window& window, std::string_view action, double value);
  // Call when windows, receivers or time have changed. Sends each peer its changes.
  void evaluate();
  // A receiver reports which members of its table are silent.
  void absent(uint64_t receiver, const sail::GroupAbsent& absent);
  // Returns the answer of the verb "groups".
  sail::Json json() const;

 private:
  // Identifies a named group, or the unnamed group of one window's ranks.
  struct Key {
    std::string name;
    uint32_t window = 0;  // 0: a named group.

    auto operator<=>(const Key&) const = default;
  };
  struct Member {
    const Window* window = nullptr;
    uint32_t stream = 0;
    uint64_t owner = 0;  // 0: gone.
  };
  struct Group {
    sail::Timeline timeline{};
    double fps = 0;         // 0: unknown.
    uint64_t receiver = 0;  // Peer id of the receiver with the table; 0: none.
    std::string receiver_name{};
    sail::Address table{};  // Data plane address of that receiver.
    uint64_t secret = 0;
    std::vector<uint32_t> streams{};  // Members that have been sent their seat.
    bool waits = false;               // The table waits for all members.
  };
  // Checks whether the windows may join the group, and creates a missing group.
  sail::Result<void> admit(const std::string& name, const std::vector<uint32_t>& windows);
  // count: number of members, including the new one.
  sail::Result<void> agree(const std::string& name, double fps, size_t count);
  static Key key_of(const Window& window);
  // Creates the unnamed groups of multi-sender windows.
  void find_parts();
  std::vector<Member> members(const Key& key) const;
  // Marks these ranks as silent, and the group's other ranks as not silent.
  void set_silent(const Key& key, const std::vector<uint32_t>& streams);
  // Moves the table to another receiver if its receiver has left. Returns whether it moved.
  bool place_table(Group& group) const;
  // Sends receivers their tables if these have changed.
  void notify_receivers();
  void notify_member(const Member& member, const Key& key, const Group& group) const;

  Desk& desk_;
  Peers& peers_;
  sail::Log log_;
  std::map<Key, Group> groups_;
  std::map<uint64_t, sail::CoordinatedGroups>
      sent_tables_;  // Last sent, by peer id of the receiver.
};

}  // namespace manager
