// A program's window on the wall: one session with the manager, and in it windows, each of them one
// stream that is opened anew, in its own place, when its pictures change. A session and its windows
// belong to one thread; open_stream() alone may run on another, for programs that wait for nobody.
#pragma once

#include <sail/sail.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sail/base/clock.h"
#include "sail/base/geometry.h"
#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/media/source.h"
#include "sail/wire/content.h"
#include "sail/wire/group.h"
#include "sail/wire/parts.h"
#include "sail/wire/transport.h"

namespace sail {

// What a window is opened for.
struct Opening {
  std::string title;
  std::string codec;    // as libsail names them
  Size size;            // of the pictures, pixels
  Size display_size{};  // as wide as they should look; 0: as their size
  // For pictures that come compressed: their pixel blocks, and how often they can be halved.
  Size block_size{};
  int max_reduction = 0;
  double fps = 0;  // at most so many a second; 0: unknown
  bool wait_when_full = false;
  // Into which the manager fits the picture, wall pixels; without a size the picture's own;
  // nothing: the manager chooses. Of the first window: later ones take the place of the one before.
  std::optional<Rect> place{};
  bool keep_shape = true;    // false: the window stays as it is though the pictures' shape differs
  bool takes_input = false;  // pointer and keys
  TransportOptions transport{};
  // By which the manager can have the window again; what is more than it keeps is not told.
  Content content{};
  std::string group{};                 // that the stream is a member of; empty: none
  std::optional<Timeline> timeline{};  // of the group, should there be none
  std::optional<JoinParts> part{};     // `size` is its own; the window's is that of all
  sail_stream* replaces = nullptr;     // the window's own matter
};

// What tells of such pictures; codec: of those that are not compressed.
Opening opening_for(const Picture& picture, const std::string& codec);

class WallSession {
 public:
  using Say = std::function<void(LogLevel level, const std::string& sentence)>;
  // program: its name in lists. manager: HOST:PORT; empty: libsail's own choice. threads: that
  // encode; 0: one a core, -1: none. say hears of the manager's going and coming.
  WallSession(std::string program, std::string manager, int threads, Say say);

  // Nothing happens when it is open. Waits for the manager's answer. kUnavailable, in words.
  Result<void> open();
  // Once all streams are closed.
  void close() { session_.reset(); }
  // Opens the session, too. Waits for the manager; one call at a time.
  Result<Stream> open_stream(const Opening& opening);

  // The next event, waiting at most so long.
  std::optional<sail_event> poll(int timeout_ms);
  // Our steady clock's, as long as it is not open.
  int64_t wall_now_ns() const { return session_ ? session_->wall_time() : steady_now_ns(); }
  // With the manager: else no window can be opened.
  bool connected() const { return connected_; }

 private:
  Stream join(sail_stream_options options, const JoinParts& part, std::string& error);

  const std::string program_;
  const std::string manager_;
  const int threads_;
  const Say say_;
  std::optional<Session> session_;
  bool connected_ = true;
};

class WallWindow {
 public:
  // session outlives the window.
  explicit WallWindow(WallSession& session) : session_(session) {}

  // The first time where the opening or the manager say; then in the place of the window before.
  Result<void> open(const Opening& opening);
  // The same in two steps, where another thread opens the stream between them.
  Opening placed(Opening opening) const;
  void take(const Opening& opening, Stream stream);
  // The stream, to be closed by who waits for that.
  Stream leave() { return std::move(stream_); }

  // Whether it can show the picture; codec: of pictures that are not compressed.
  bool fits(const Picture& picture, const std::string& codec) const;
  // What is submitted from now on is to be seen at that wall time; 0: soonest.
  void present_at(int64_t present_ns) { present_ns_ = present_ns; }
  int64_t wall_now_ns() const { return session_.wall_now_ns(); }
  // SAIL_DROPPED: not shown, to be tried again. What it refers to is read no more after it.
  sail_status submit(const Picture& picture);
  sail_status submit(const uint8_t* bgra, ptrdiff_t stride);
  // Its at_ns is steady time.
  sail_status submit(sail_audio audio);
  bool wall_has_audio() const { return stream_ && stream_.wall_has_audio(); }
  // So many pictures were due that are not shown: too late, or damaged.
  void skip(uint64_t frames);
  void tell(const sail_playback& playback);

  // The next event of the session or of the stream that is open now, waiting at most so long.
  std::optional<sail_event> poll(int timeout_ms);
  // A window that has been replaced may still have events under way.
  bool concerns(const sail_event& event) const {
    return event.stream == nullptr || event.stream == stream_.get();
  }

  // To be asked again and again. True when pictures of another size than its own have been wanted
  // for so long, the same all the time, and the manager is there to open a window for them.
  bool settled(Size wanted, int64_t rest_ns);

  Size size() const { return size_; }
  // Where it stands, wall pixels; empty: nowhere.
  Rect wall_rect() const;
  // As large as all of its picture would be seen.
  Size picture_size() const;
  uint32_t number() const { return stream_ ? stream_.id() : 0; }
  sail_stream_stats stats() const { return stream_ ? stream_.stats() : sail_stream_stats{}; }

 private:
  WallSession& session_;
  Stream stream_;
  Size size_;  // of the pictures, pixels
  std::string codec_;
  Size block_size_;
  int64_t present_ns_ = 0;
  Size wanted_;  // of pictures, when it is not theirs
  int64_t wanted_since_ns_ = 0;
};

}  // namespace sail
