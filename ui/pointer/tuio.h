// Decodes TUIO 1.1 (tuio.org), touches and objects from trackers and multi-touch frames, from OSC
// messages. Serves several trackers, identified by their `source` message or address.
//
// A TUIO frame is "alive", "set" … and "fseq"; fseq commits it. A frame with a smaller number than
// the last is late and ignored, unless it is more than a hundred behind: then the tracker has
// restarted (as in the reference client). Frames numbered −1 are always committed. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ui/pointer/osc.h"

namespace ui {

struct TouchChange {
  enum class Kind : uint8_t { kDown, kMove, kUp };
  Kind kind = Kind::kMove;
  uint64_t touch = 0;  // touch id, never reused
  double x = 0;        // 0 left to 1 right of the surface; kUp repeats the last position
  double y = 0;        // 0 top to 1 bottom

  bool operator==(const TouchChange&) const = default;
};

struct TuioCounters {
  uint64_t frames = 0;
  uint64_t late = 0;
  uint64_t lost = 0;     // gaps in the frame numbers
  uint64_t refused = 0;  // invalid messages of a TUIO address, or over a limit
};

class TuioReader {
 public:
  static constexpr size_t kMaxSources = 16;
  static constexpr size_t kMaxTouches = 128;  // for one source and profile
  // Timeout: a tracker repeats its state at least once a second. After this silence its touches
  // end.
  static constexpr int64_t kSilentMs = 5000;

  // Reads the messages of one datagram from this address. Ignores other than TUIO messages.
  std::vector<TouchChange> take(const std::string& address, std::span<const OscMessage> messages,
                                int64_t now_ms);
  // Ends the touches of silent trackers.
  std::vector<TouchChange> expire(int64_t now_ms);
  // True while expire() must be called.
  bool touched() const;
  const TuioCounters& counters() const { return counters_; }

 private:
  struct Point {
    double x = 0;
    double y = 0;
    bool operator==(const Point&) const = default;
  };
  struct Touch {
    uint64_t number = 0;
    Point at;
  };
  // One profile of a source, cursors or objects; each has its own session ids.
  struct Profile {
    int64_t last_frame = -1;
    bool has_alive = false;
    std::set<int64_t> alive;         // session ids in the frame being read
    std::map<int64_t, Point> moved;  // positions in the frame being read
    std::map<int64_t, Touch> touches;
  };
  struct Source {
    int64_t last_message_ms = 0;
    std::map<std::string, Profile> profiles;  // by OSC address; at most two
  };

  Source* source(const std::string& name, int64_t now_ms);
  void read(Profile& profile, bool object, const OscMessage& message,
            std::vector<TouchChange>& changes);
  void read_alive(Profile& profile, const OscMessage& message);
  void read_set(Profile& profile, bool object, const OscMessage& message);
  void end_frame(Profile& profile, const OscMessage& message, std::vector<TouchChange>& changes);
  void commit(Profile& profile, std::vector<TouchChange>& changes);

  std::map<std::string, Source> sources_;
  uint64_t next_touch_ = 1;
  TuioCounters counters_;
};

}  // namespace ui
