// The windows on the wall, bottom to top, and the bounds that each must keep. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "manager/diagnosis.h"
#include "manager/play_request.h"
#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wall/block_grid.h"
#include "sail/wall/picture_map.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/parts.h"
#include "sail/wire/playback.h"

namespace manager {

// How a window is heard.
struct WindowSound {
  double volume = 1;  // 0 to 1
  bool muted = false;

  double audible() const { return muted ? 0 : volume; }
  bool operator==(const WindowSound&) const = default;
};

// What people decide of a window: what a step of the history takes back, and layouts keep.
struct Standing {
  sail::Rect wall_rect;
  bool locked = false;
  std::optional<sail::Rect> before_maximised{};  // while it is maximised: where it stood before
  std::optional<sail::Look> look{};              // nothing: as it is
  std::optional<WindowSound> sound{};            // nothing: it stays as it is

  bool operator==(const Standing&) const = default;
};

// Of a window whose frames come from several senders: what one of them gives.
struct WindowPart {
  uint32_t stream = 0;
  uint64_t secret = 0;
  uint64_t owner = 0;      // its application, a peer; 0: gone
  std::string owner_name;  // empty: unknown, it was gone before this manager came
  sail::Rect region;       // of the window's frames; empty: unknown, too
  bool silent = false;     // the table of its group hears nothing of it
  int64_t since_s = 0;     // since 1970: it is absent
  std::optional<sail::StreamStats> stats{};

  bool absent() const { return owner == 0 || silent; }
};

// A window whose program is gone, with its node perhaps, and is started again.
struct LostProgram {
  std::string node;
  std::string why;
  int64_t since_s = 0;  // since 1970

  std::string sentence() const;
  bool operator==(const LostProgram&) const = default;
};

// A client that drags a window, or changes it by another gesture.
struct Holder {
  uint64_t client = 0;
  std::string name;

  bool operator==(const Holder&) const = default;
};

struct Window {
  uint32_t number = 0;  // from 1, never used twice
  uint32_t stream = 0;  // shown in it, numbered alike; another one when that is replaced
  std::string title;
  uint64_t owner = 0;      // the application's, a peer
  std::string owner_name;  // and what it calls itself
  std::string opener;      // whose it is: the name of a key, see opener_of()
  std::string codec;
  bool alpha = false;     // its codec has it
  int max_reduction = 0;  // how often its pictures can be halved when it is shown smaller
  sail::Scaling scaling = sail::Scaling::kFrame;
  sail::Size frame_size;
  sail::Size block_size;
  sail::Transport transport = sail::Transport::kTcp;
  uint64_t secret = 0;
  sail::Rect wall_rect;
  sail::Look look;
  bool locked = false;
  std::optional<sail::Rect> before_maximised;  // see Standing
  std::string partition;                       // it stands in; empty: none
  std::string changed_by;                      // name of the client; empty: nobody yet
  std::optional<Holder> holder;                // nothing: nobody holds it
  std::optional<PlayRequest> content;          // how to start it again; nothing: unknown
  std::vector<std::string> media;              // that its application says is in it
  bool takes_input = false;                    // it reads pointer, keys and touches
  std::string group;                           // that it is a member of; empty: none
  double fps = 0;                              // its stream's, nominal; 0: unknown
  std::optional<sail::StreamStats> stats;      // the last that came
  std::optional<sail::StreamStats> before;     // and the one before
  int64_t measured_ns = 0;                     // when the last came, steady
  int64_t opened_ns = 0;                       // steady; 0: just now
  int64_t fed_s = 0;      // since 1970: its application handed over a frame last; 0: never
  int64_t starts_ns = 0;  // wall time: its film begins; 0: at once
  StreamHealth health;    // by all these
  std::optional<sail::Playback> playback;  // as its application told it last
  WindowSound sound;
  std::optional<double> volume_told;  // its application, which has not said so back yet
  std::optional<LostProgram> lost;    // nothing: its application is there
  // By rank; none: its stream gives whole frames. What is said above of stream, owner and secret is
  // rank 0's, and the size all frames'.
  std::vector<WindowPart> parts;
  std::string parts_name;  // by which they found each other
  sail::AbsentPart absent = sail::AbsentPart::kWait;

  const WindowPart* part(uint32_t of_stream) const {
    const auto it = std::ranges::find(parts, of_stream, &WindowPart::stream);
    return it == parts.end() ? nullptr : &*it;
  }
  WindowPart* part(uint32_t of_stream) {
    return const_cast<WindowPart*>(std::as_const(*this).part(of_stream));
  }
  // The application of one of its streams.
  uint64_t owner_of(uint32_t of_stream) const {
    const WindowPart* of_rank = part(of_stream);
    return of_rank == nullptr ? owner : of_rank->owner;
  }
  // The stream whose figures stand for the window's: of a rank that tells some.
  uint32_t measured_stream() const {
    const auto it = std::ranges::find_if_not(parts, &WindowPart::absent);
    return it == parts.end() ? stream : it->stream;
  }
  // Who is absent, since when, and what becomes of the others; empty: nobody.
  std::string absent_sentence() const;

  bool no_signal() const { return playback && playback->no_signal(); }

  // What it shows, as large as that is by itself.
  sail::Size shown_size() const { return sail::shown_size(look, frame_size); }
  // Since when its live source sends nothing; empty: it sends, or something else is shown.
  std::string silent_sentence() const;
  // How it is shown now: dimmed while its program is lost, or its source is silent.
  sail::Look look_now() const {
    constexpr double kDimmed = 0.35;
    sail::Look now = look;
    if (lost || no_signal()) now.opacity *= kDimmed;
    return now;
  }
  // What lies beneath it is seen through it.
  bool blended() const { return alpha || look_now().translucent(); }
  Standing standing() const { return {wall_rect, locked, before_maximised, look, sound}; }
  void stand(const Standing& standing) {
    wall_rect = standing.wall_rect;
    locked = standing.locked;
    before_maximised = standing.before_maximised;
    look = standing.look.value_or(look);
    sound = standing.sound.value_or(sound);
  }
  bool stands(Standing standing) const {
    standing.look = standing.look.value_or(look);
    standing.sound = standing.sound.value_or(sound);
    return standing == this->standing();
  }
};

class WindowStack {
 public:
  // On top of the others, under the next number, which is its stream's too; or under those that it
  // has, which must be free: it has gone on from a former manager. kLimit: there are kMaxWindows.
  sail::Result<Window*> open(Window window);
  // The part is that of another stream from now on, with the next number.
  void replace_part(uint32_t number, size_t rank, WindowPart part);
  // In the place and under the number of one that is here; its stream has the next number.
  Window* replace(uint32_t number, Window window);
  bool remove(uint32_t number);
  // That no window will ever have.
  uint32_t reserve_number() { return next_number_++; }
  // From now on all are beyond this one, unless that leaves too few.
  void skip_number(uint32_t number) {
    if (number <= kMostKept) next_number_ = std::max(next_number_, number + 1);
  }
  // Numbers up to here are taken over from a former manager.
  static constexpr uint32_t kMostKept = uint32_t{1} << 31;

  // In constant time. Null when there is none. Pointers last until the next open, remove or
  // reorder.
  Window* find(uint32_t number);
  const Window* find(uint32_t number) const;
  const Window* find_stream(uint32_t stream) const;
  const std::vector<Window>& bottom_to_top() const { return windows_; }
  std::vector<uint32_t> owned_by(uint64_t owner) const;

  // Bottom to top.
  std::vector<uint32_t> order() const;
  // Those of these windows that are here take their places among themselves in this order, bottom
  // to top; all others stay where they are in the stack. False: it is so already.
  bool reorder(const std::vector<uint32_t>& order);
  // Whether it would change anything.
  bool would_reorder(const std::vector<uint32_t>& order) const;

 private:
  // Where those stand that are here.
  std::vector<size_t> places_of(const std::vector<uint32_t>& order) const;
  void index_from(size_t first);

  std::vector<Window> windows_;
  std::unordered_map<uint32_t, size_t> places_;              // of each window in windows_
  std::unordered_map<uint32_t, uint32_t> window_of_stream_;  // numbers
  uint32_t next_number_ = 1;
};

// kLimit when a window may not stand there: side or offset out of bounds. Sides are in 64 bits, so
// that callers can compute them without care.
struct WideRect {
  int64_t x = 0;
  int64_t y = 0;
  int64_t width = 0;
  int64_t height = 0;
};
sail::Result<sail::Rect> window_place(const WideRect& place);

// The order with these windows on top of (or below) all others, themselves in their old order.
std::vector<uint32_t> raised(const std::vector<uint32_t>& order,
                             const std::vector<uint32_t>& which);
std::vector<uint32_t> lowered(const std::vector<uint32_t>& order,
                              const std::vector<uint32_t>& which);

}  // namespace manager
