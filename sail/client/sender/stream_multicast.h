// Sends a stream once, to a multicast group, for the receivers that hear the group. Receivers first
// hear test packets with a secret that no frame has. Whenever a receiver comes or goes, all are
// sent their frames alone until those that remain have been tested again, with new secrets and
// keys. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/client/sender/stream_links.h"
#include "sail/client/transport/multicast_frames.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/wall_clock.h"

namespace sail {

class StreamMulticast {
 public:
  // on_sent: the group has sent the frame begun last. All must outlive this object.
  StreamMulticast(Loop& loop, const WallClock& clock, const Log& log, StreamLinks& links,
                  std::function<void()> on_sent);

  // The stream was opened with this group; empty: none. hops: TTL or hop limit of its packets. No
  // link is open.
  void open(const std::string& group, int hops);
  // Call a few times a second.
  void check(int64_t now_ns);
  // Null: there is no group at present.
  const MulticastFrames* frames() const { return frames_.get(); }

 private:
  using Links = std::vector<StreamLink*>;

  bool fits_group(const StreamLink& link) const;
  bool is_able(const StreamLink& link, int64_t now_ns) const;
  void update_members(int64_t now_ns);
  // Links whose receivers can be in the group together; empty: fewer than two.
  Links able_links(int64_t now_ns) const;
  // The able links are those that have been invited.
  bool are_invited(const Links& able) const;
  void dismiss_all();
  void invite(const Links& able, int64_t now_ns);
  void go_on(const Links& able);
  // Takes a new secret. Returns false if the group cannot be sent to.
  bool start(const Links& able);

  Loop& loop_;
  const WallClock& clock_;
  const Log& log_;
  StreamLinks& links_;
  const std::function<void()> on_sent_;
  std::string group_;
  int hops_ = 1;
  std::unique_ptr<MulticastFrames> frames_;
  std::vector<uint32_t> invited_;  // numbers of links
  // Invited receivers first hear test packets, then get the secret of the frames.
  enum class Stage : uint8_t { kTesting, kTelling, kSending };
  Stage stage_ = Stage::kTesting;
};

}  // namespace sail
