// TUIO 1.1 (tuio.org): the touches and objects that trackers and multi-touch frames see, out of
// OSC messages. Any number of trackers at once, told apart by their `source` message or address.
//
// A frame is alive, set … and fseq; it counts when its fseq comes. Frames with an older number than
// the last are late and left out; one that is more than a hundred back is a tracker that began
// anew (the rule of the reference client). −1 numbers no frame: it always counts. Pure.
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
  uint64_t touch = 0;  // never used again for another
  double x = 0;        // of the frame, 0 left to 1 right; of kUp: where it was last
  double y = 0;        // 0 top to 1 bottom

  bool operator==(const TouchChange&) const = default;
};

struct TuioCounters {
  uint64_t frames = 0;
  uint64_t late = 0;
  uint64_t lost = 0;     // numbers that never came
  uint64_t refused = 0;  // messages of a known address that make no sense, or over a limit
};

class TuioReader {
 public:
  static constexpr size_t kMaxSources = 16;
  static constexpr size_t kMaxTouches = 128;  // of one source and profile
  // A tracker repeats itself at least once a second; one that is silent for this long is gone, and
  // its touches with it.
  static constexpr int64_t kSilentMs = 5000;

  // The messages of one datagram from that address; others than TUIO's are passed over.
  std::vector<TouchChange> take(const std::string& address, std::span<const OscMessage> messages,
                                int64_t now_ms);
  // The touches of trackers that went silent.
  std::vector<TouchChange> expire(int64_t now_ms);
  // When expire has something to look at.
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
  // Cursors and objects of a source are numbered apart.
  struct Profile {
    int64_t last_frame = -1;
    bool has_alive = false;
    std::set<int64_t> alive;         // of the frame that is being read
    std::map<int64_t, Point> moved;  // the same
    std::map<int64_t, Touch> touches;
  };
  struct Source {
    int64_t heard_ms = 0;
    std::map<std::string, Profile> profiles;  // by address, two at most
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
