// Groups: streams that show equal presentation times in one swap. These are the control messages
// between manager, applications and receivers. The manager does not take part for each frame;
// data_messages.h has the per-frame messages. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/wire/playback.h"

namespace sail {

// Reads one window or stream number of a list.
Result<uint32_t> read_window_number(const Json& value, const std::string& where);

// Playback position of a group: each member's film is at position_s at the instant at_ns and
// continues from there. From it, the position at any instant follows.
struct Timeline {
  double position_s = 0;
  int64_t at_ns = 0;  // wall time
  double rate = 1;
  bool paused = false;

  bool operator==(const Timeline&) const = default;
};
void fields(auto& visit, Of<Timeline> auto& timeline) {
  visit("position_s", Real{0, kMaxPlaybackValue}, timeline.position_s);
  visit("at_ns", kTimeNs, timeline.at_ns);
  visit("rate", Real{kMinRate, kMaxRate}, timeline.rate);
  visit("paused", sparse(Flag()), timeline.paused);
}

// "group": notification to applications. The stream is a member, and the group's coordinator is at
// the given receiver's data port. An empty name: the stream is in no group; other fields are then
// missing.
struct GroupMembership {
  static constexpr const char* kMethod = "group";

  uint32_t stream = 0;
  std::string name{};
  std::string host{};  // numeric address; empty: there is no coordinator at present
  uint16_t port = 0;
  std::string certificate{};
  uint64_t secret = 0;
  Timeline timeline{};
};
void fields(auto& visit, Of<GroupMembership> auto& membership) {
  visit("stream", kStreamNumber, membership.stream);
  visit("name", sparse(Text{kMaxNameLength}), membership.name);
  if (membership.name.empty()) return;
  visit("timeline", Object(), membership.timeline);
  visit("host", sparse(Text{64}), membership.host);
  if (membership.host.empty()) return;
  visit("port", kPort, membership.port);
  visit("certificate", kCertificate, membership.certificate);
  visit("secret", Hex64(), membership.secret);
}

// "group_tables": notification to receivers with all groups that the receiver coordinates; a group
// that is missing from the list ends.
struct CoordinatedGroup {
  uint64_t secret = 0;
  std::vector<uint32_t> streams;  // the members
  bool waits = false;             // wait for all members, without a timeout
  bool numbered = false;          // frames are matched by number instead of presentation time

  bool operator==(const CoordinatedGroup&) const = default;
};
void fields(auto& visit, Of<CoordinatedGroup> auto& group) {
  constexpr List<ValueItem<read_window_number>, std::identity> kStreams{kMaxGroupMembers};
  visit("secret", Hex64(), group.secret);
  visit("streams", kStreams, group.streams);
  visit("waits", sparse(Flag()), group.waits);
  visit("numbered", sparse(Flag()), group.numbered);
}
struct CoordinatedGroups {
  static constexpr const char* kMethod = "group_tables";

  std::vector<CoordinatedGroup> groups;

  bool operator==(const CoordinatedGroups&) const = default;
};
void fields(auto& visit, Of<CoordinatedGroups> auto& message) {
  visit("tables", objects(kMaxGroups, &CoordinatedGroup::secret), message.groups);
}

// "group_absent": notification by a group's coordinator. It lists all members that send no votes
// although other members have frames, and is sent when the list changes.
struct GroupAbsent {
  static constexpr const char* kMethod = "group_absent";

  uint64_t secret = 0;
  std::vector<uint32_t> streams;
};
void fields(auto& visit, Of<GroupAbsent> auto& absent) {
  constexpr List<ValueItem<read_window_number>, std::identity> kStreams{kMaxGroupMembers};
  visit("secret", Hex64(), absent.secret);
  visit("streams", kStreams, absent.streams);
}

}  // namespace sail
