// The windows on the wall, bottom to top, and their limits. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "manager/wall/content.h"
#include "manager/wall/drawing.h"
#include "manager/wall/driver.h"
#include "manager/wall/stream_health.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wall/multicast.h"
#include "sail/core/wall/parts.h"
#include "sail/core/wall/picture_map.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/stats.h"

namespace manager {

// The volume of a window or of the wall.
struct WindowSound {
  double volume = 1;  // 0 to 1.
  bool muted = false;

  double audible() const { return muted ? 0 : volume; }
  bool operator==(const WindowSound&) const = default;
};

// A line of text that people put on a window, see monitor/window_labels.h. Empty text: none.
struct WindowLabel {
  std::string text{};
  bool top = false;  // At the window's top, not at its bottom.

  bool operator==(const WindowLabel&) const = default;
};

// An area of the wall that is black, with a line of text in its middle.
struct BlankArea {
  sail::Rect wall_rect;
  std::string text;

  bool operator==(const BlankArea&) const = default;
};

// Settings for all windows at once; not in the undo history.
struct WallSwitches {
  bool blank = false;                    // Tiles are black; streams continue.
  std::string blank_text{};              // A line in the middle of the blank wall.
  std::vector<BlankArea> blank_areas{};  // Black areas, if `blank` is false; at most kMaxBlanks.
  WindowSound sound{};                   // Master volume: multiplies each window's volume.

  bool operator==(const WallSwitches&) const = default;
};

// The settings that people choose for a window. Undo restores them, and layouts store them.
struct WindowPlacement {
  sail::Rect wall_rect;
  bool locked = false;
  std::optional<sail::Rect> before_maximised{};  // The former rectangle, while maximised.
  std::optional<sail::ViewTransform> look{};     // Empty: unchanged.
  std::optional<WindowSound> sound{};            // Empty: unchanged.
  // The area that the picture is fitted into, even if its shape changes. Empty: the window's
  // rectangle, or the one before it was maximised.
  std::optional<sail::Rect> place{};
  sail::Size shape{};  // Picture shape, see Window::shown_size(); empty: the current one.
  std::optional<WindowLabel> label{};  // Empty: unchanged.
  std::optional<bool> hidden{};        // Open, but not on the wall, and silent; empty: unchanged.
  std::optional<Drawing> drawing{};    // Empty: unchanged.

  bool operator==(const WindowPlacement&) const = default;
};

// What people conceal of a window; not in the undo history.
struct WindowCover {
  std::optional<std::string> blank{};  // The window is black, with this line of text.
  bool frozen = false;                 // The window keeps its last picture.
  bool mute = false;                   // While it is frozen, it is silent.

  bool operator==(const WindowCover&) const = default;
};

// The part that one sender provides, in a window whose frames come from several senders.
struct WindowPart {
  uint32_t stream = 0;
  uint64_t secret = 0;
  uint64_t owner = 0;      // Peer id of its application; 0: gone.
  std::string owner_name;  // Empty: unknown; it left before this manager started.
  sail::Rect region;       // Within the window's frames; empty: unknown.
  bool silent = false;     // Its group's table gets no frames from it.
  int64_t since_s = 0;     // Absent since, in seconds since 1970.
  std::optional<sail::StreamStats> stats{};

  bool absent() const { return owner == 0 || silent; }
};

// A window's program that is gone, perhaps with its node. It is restarted, if the manager can.
struct LostProgram {
  std::string name;  // name of its node; or of its application, if that runs on the manager's host
                     // or the node is unknown
  std::string why;
  int64_t since_s = 0;  // Seconds since 1970.

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
  uint32_t number = 0;  // From 1, never reused.
  uint32_t stream = 0;  // Its stream; equals `number` until the stream is replaced.
  std::string title;
  uint64_t owner = 0;      // Peer id of its application.
  std::string owner_name;  // Name that the application gave.
  std::string opener;      // Name of the key that opened it, see opener_of().
  std::string codec;
  std::string codec_reason;  // Why its application chose the codec; empty: unknown.
  bool alpha = false;        // The codec has an alpha channel.
  int max_reduction = 0;     // How often the sender can halve its pictures.
  sail::Scaling scaling = sail::Scaling::kFrame;
  sail::Size frame_size;
  sail::Size shape;  // Shape in which to show its frames; empty: square pixels.
  sail::Size block_size;
  sail::Transport transport = sail::Transport::kTcp;
  sail::IpAddress multicast;  // Its stream's multicast group.
  uint64_t secret = 0;
  sail::Rect wall_rect;
  sail::Rect place;  // See WindowPlacement.
  sail::ViewTransform look;
  bool locked = false;
  bool hidden = false;                         // See WindowPlacement.
  std::optional<sail::Rect> before_maximised;  // See WindowPlacement.
  std::string partition;                       // Partition that it is in; empty: none.
  std::string changed_by;                      // Client that changed it last; empty: none.
  std::optional<Holder> holder;                // Empty: nobody holds it.
  std::optional<Driver> driver;                // Empty: nobody drives it.
  std::optional<PlayRequest> content;          // How to restart it; empty: unknown.
  std::vector<std::string> media;              // Its media, as its application reports them.
  bool takes_input = false;                    // Its application reads pointer, keys and touches.
  std::string group;                           // Its group; empty: none.
  double fps = 0;                              // Nominal rate of its stream; 0: unknown.
  std::optional<sail::StreamStats> stats;      // Latest report.
  std::optional<sail::StreamStats> before;     // The report before that.
  int64_t measured_ns = 0;                     // Time of `stats`, steady.
  int64_t opened_ns = 0;                       // Steady; 0: not set yet.
  int64_t fed_s = 0;                       // Last frame from its application, since 1970; 0: never.
  int64_t starts_ns = 0;                   // Start of its film, wall time; 0: at once.
  StreamHealth health;                     // Derived from the fields above.
  std::optional<sail::Playback> playback;  // Latest report of its application.
  WindowSound sound;
  WindowLabel label;
  Drawing drawing;
  std::optional<double> volume_sent;  // Sent to its application, not confirmed yet.
  WindowCover cover;
  bool unsaved = false;  // It opens or closes with a scene or a tour: saved walls leave it out.
  std::optional<LostProgram> lost;  // Empty: its application is connected.
  // By rank; empty: the stream has whole frames. With parts, `stream`, `owner` and `secret` are
  // those of rank 0, and frame_size is that of whole frames.
  std::vector<WindowPart> parts;
  std::string parts_name;  // Name under which the ranks joined.
  sail::AbsentPart absent = sail::AbsentPart::kWait;

  const WindowPart* part(uint32_t of_stream) const {
    const auto it = std::ranges::find(parts, of_stream, &WindowPart::stream);
    return it == parts.end() ? nullptr : &*it;
  }
  WindowPart* part(uint32_t of_stream) {
    return const_cast<WindowPart*>(std::as_const(*this).part(of_stream));
  }
  // Returns the peer id of the application of one of its streams.
  uint64_t owner_of(uint32_t of_stream) const {
    const WindowPart* of_rank = part(of_stream);
    return of_rank == nullptr ? owner : of_rank->owner;
  }
  // Returns the stream whose statistics represent the window: the stream of the first present rank.
  uint32_t measured_stream() const {
    const auto it = std::ranges::find_if_not(parts, &WindowPart::absent);
    return it == parts.end() ? stream : it->stream;
  }
  // Says which rank is absent, since when, and what the others do; empty: none is absent.
  std::string absent_sentence() const;

  bool no_signal() const { return playback && playback->no_signal(); }

  bool decorates() const { return content && content->decoration; }
  bool is_curtain() const { return content && manager::is_curtain(*content); }
  // Whether it is the curtain of the whole wall.
  bool covers_wall() const {
    return is_curtain() && content->decoration->blank_window == 0 &&
           content->decoration->blank_area.empty();
  }
  // Whether layouts place it and other windows leave room for it.
  bool arranged() const { return !hidden && !decorates(); }
  // Windows with a higher layer are above all others.
  int layer() const {
    enum { kWallpaperOfWall, kWallpaperOfArea, kArranged, kLogo, kCurtain };
    if (!decorates()) return kArranged;
    if (is_curtain()) return kCurtain;
    if (content->decoration->kind == DecorationKind::kLogo) return kLogo;
    return content->decoration->area.empty() ? kWallpaperOfWall : kWallpaperOfArea;
  }

  // Returns the size of the picture after the view transform.
  sail::Size shown_size() const { return shown_size(look); }
  sail::Size shown_size(const sail::ViewTransform& by) const;
  // Returns its view transform, with a crop that makes the picture fill an area of this shape.
  sail::ViewTransform filling(const sail::Rect& area) const;
  // Whether its crop looks like one of filling(), and not like one that a person chose.
  bool filled() const;
  // Returns a sentence that says since when its live source has been silent; empty: there is a
  // signal, or a fallback.
  std::string silent_sentence() const;
  // Returns its current view transform: dimmed while its program is lost or its source is silent.
  sail::ViewTransform current_view_transform() const {
    constexpr double kDimmed = 0.35;
    sail::ViewTransform now = look;
    if (lost || no_signal()) now.opacity *= kDimmed;
    return now;
  }
  // Whether lower windows are visible through it.
  bool blended() const { return alpha || current_view_transform().translucent(); }
  WindowPlacement placement() const {
    return {wall_rect,    locked, before_maximised, look,   sound, place,
            shown_size(), label,  hidden,           drawing};
  }
  void apply(const WindowPlacement& placement) {
    wall_rect = placement.wall_rect;
    locked = placement.locked;
    before_maximised = placement.before_maximised;
    place = placement.place.value_or(before_maximised.value_or(wall_rect));
    look = placement.look.value_or(look);
    sound = placement.sound.value_or(sound);
    label = placement.label.value_or(label);
    hidden = placement.hidden.value_or(hidden);
    drawing = placement.drawing.value_or(drawing);
  }
  // Returns its placement after a move to `rect`. `place` moves along, or becomes `rect` on a
  // resize.
  WindowPlacement moved_to(const sail::Rect& rect) const;
  // Returns its placement when the partition that contains it changes.
  WindowPlacement following(const sail::Rect& from, const sail::Rect& to) const;
  bool has_placement(WindowPlacement placement) const {
    placement.look = placement.look.value_or(look);
    placement.sound = placement.sound.value_or(sound);
    placement.label = placement.label.value_or(label);
    placement.hidden = placement.hidden.value_or(hidden);
    placement.drawing = placement.drawing.value_or(drawing);
    placement.place =
        placement.place.value_or(placement.before_maximised.value_or(placement.wall_rect));
    placement.shape = shown_size();
    return placement == this->placement();
  }
};

class WindowStack {
 public:
  // Adds the window on top of its layer. It gets the next number, for its stream as well. A window
  // from an earlier manager keeps its numbers, which must be free. kLimit: there are kMaxWindows.
  sail::Result<Window*> open(Window window);
  // Replaces a rank's part. Its stream gets the next number, unless it has one.
  void replace_part(uint32_t number, size_t rank, WindowPart part);
  // Replaces a window, keeping its number and position. The stream gets the next number.
  Window* replace(uint32_t number, Window window);
  bool remove(uint32_t number);
  // Returns a number that no window will have.
  uint32_t reserve_number() { return next_number_++; }
  // Makes all later numbers greater than this one, unless too few would be left.
  void skip_number(uint32_t number) {
    if (number <= kMostKept) next_number_ = std::max(next_number_, number + 1);
  }
  // The largest number that is taken over from an earlier manager.
  static constexpr uint32_t kMostKept = uint32_t{1} << 31;

  // Constant time. Null: there is none. Pointers are valid until the next open, remove or reorder.
  Window* find(uint32_t number);
  const Window* find(uint32_t number) const;
  const Window* find_stream(uint32_t stream) const;
  const std::vector<Window>& bottom_to_top() const { return windows_; }
  std::vector<uint32_t> owned_by(uint64_t owner) const;

  // Returns an address of the range that no window has; 0: all are taken.
  sail::IpAddress free_multicast_group(const sail::MulticastRange& range) const;

  // Bottom to top.
  std::vector<uint32_t> order() const;
  // Gives the listed windows each other's positions, so that they have this order, bottom to top,
  // within each layer. Other windows keep their positions. Returns false if nothing changes.
  bool reorder(const std::vector<uint32_t>& order);
  // Whether reorder() would change anything.
  bool would_reorder(const std::vector<uint32_t>& order) const;

 private:
  // Returns the positions of the listed windows that exist, layer by layer.
  std::vector<size_t> places_of(const std::vector<uint32_t>& order) const;
  void index_from(size_t first);

  std::vector<Window> windows_;
  std::unordered_map<uint32_t, size_t> places_;              // Index into windows_, by window.
  std::unordered_map<uint32_t, uint32_t> window_of_stream_;  // Window numbers by stream.
  uint32_t next_number_ = 1;
};

// A rectangle in 64 bits, so that callers can compute without overflow. window_place() returns
// kLimit if a side or an offset is out of bounds.
struct WideRect {
  int64_t x = 0;
  int64_t y = 0;
  int64_t width = 0;
  int64_t height = 0;
};
sail::Result<sail::Rect> window_place(const WideRect& place);
// Returns the window's rectangle with these sides. 0: follows from the other side and the picture.
WideRect resized(const Window& window, int64_t width, int64_t height);

// Return the order with these windows above, or below, all others, in their order so far.
std::vector<uint32_t> raised(const std::vector<uint32_t>& order,
                             const std::vector<uint32_t>& which);
std::vector<uint32_t> lowered(const std::vector<uint32_t>& order,
                              const std::vector<uint32_t>& which);

// The state of a window, to restore the window after it has gone. Values only.
struct SavedWindow {
  uint32_t number = 0;  // Its current or former number.
  std::string title{};
  std::string owner{};  // Name that its application gave.
  sail::Size frame_size{};
  WindowPlacement placement{};
  std::optional<PlayRequest> content{};  // How to restart it; empty: the manager cannot.
  std::optional<sail::Playback> playback{};
  std::optional<std::string> group{};  // "": none; empty: unknown, the application's choice.
  WindowCover cover{};
  std::string mark{};      // See Peers::mark_of().
  sail::Json thumbnail{};  // {"size", "jpeg"}, or null

  bool decorates() const { return content && content->decoration; }
  bool is_curtain() const { return content && manager::is_curtain(*content); }
};

// Limit of Desk::refused(), which is saved as well; the oldest are left out.
constexpr size_t kMostRefusedStreams = 1024;

// Leaves mark and thumbnail empty, which the window does not know. now_ns: wall time.
SavedWindow saved_window(const Window& window, int64_t now_ns);

// The streams of a window: one, or one per sender if each provides a part of its frames. Pure.
struct WindowStream {
  const Window* window = nullptr;
  uint32_t stream = 0;
  uint64_t owner = 0;  // 0: gone.
  uint64_t secret = 0;
  sail::Size frame_size;
  sail::Rect wall_rect;  // Empty: not on the wall.
  std::optional<sail::FramePart> part{};
  bool dark = false;
};

// Return the streams, bottom to top.
std::vector<WindowStream> streams_of(const Window& window);
std::vector<WindowStream> streams_of(const std::vector<Window>& windows);

}  // namespace manager
