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

// "group": notification to applications. The stream is a member, and the group's table is at the
// given receiver's data port. An empty name: the stream is in no group; other fields are then
// missing.
struct GroupSeat {
  static constexpr const char* kMethod = "group";

  uint32_t stream = 0;
  std::string name{};
  std::string host{};  // numeric address; empty: no receiver has the table at present
  uint16_t port = 0;
  std::string certificate{};
  uint64_t secret = 0;
  Timeline timeline{};
};
void fields(auto& visit, Of<GroupSeat> auto& seat) {
  visit("stream", kStreamNumber, seat.stream);
  visit("name", sparse(Text{kMaxNameLength}), seat.name);
  if (seat.name.empty()) return;
  visit("timeline", Object(), seat.timeline);
  visit("host", sparse(Text{64}), seat.host);
  if (seat.host.empty()) return;
  visit("port", kPort, seat.port);
  visit("certificate", kCertificate, seat.certificate);
  visit("secret", Hex64(), seat.secret);
}

// "group_tables": notification to receivers with all group tables that the receiver has; a table
// that is missing from the list ends.
struct GroupTableInfo {
  uint64_t secret = 0;
  std::vector<uint32_t> streams;  // the members
  bool waits = false;             // wait for all members, without a timeout
  bool numbered = false;          // frames are matched by number instead of presentation time

  bool operator==(const GroupTableInfo&) const = default;
};
void fields(auto& visit, Of<GroupTableInfo> auto& table) {
  constexpr List<ValueItem<read_window_number>, std::identity> kStreams{kMaxGroupMembers};
  visit("secret", Hex64(), table.secret);
  visit("streams", kStreams, table.streams);
  visit("waits", sparse(Flag()), table.waits);
  visit("numbered", sparse(Flag()), table.numbered);
}
struct GroupTables {
  static constexpr const char* kMethod = "group_tables";

  std::vector<GroupTableInfo> tables;

  bool operator==(const GroupTables&) const = default;
};
void fields(auto& visit, Of<GroupTables> auto& told) {
  visit("tables", objects(kMaxGroups, &GroupTableInfo::secret), told.tables);
}

// "group_absent": notification by a receiver that has a group table. It lists all members that send
// no votes although other members have frames, and is sent when the list changes.
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
