// A program's windows on the wall. A session with the manager holds the windows. Each window is one
// stream, which is opened again at the same place when the picture format changes. A session and
// its windows belong to one thread. Only open_stream() may run on another thread.
#pragma once

#include <sail/sail.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/display_color.h"
#include "sail/core/wall/parts.h"
#include "sail/core/wall/transport.h"
#include "sail/core/wire/content.h"
#include "sail/core/wire/film_tracks.h"
#include "sail/core/wire/group.h"
#include "sail/media/source/source.h"

namespace sail {

// Parameters of a window.
struct Opening {
  std::string title;
  std::string codec;           // in libsail's notation
  std::string codec_reason{};  // for people: why this codec; empty: none
  Size size;                   // size of the pictures in pixels
  Size display_size{};         // size with square pixels; 0: same as `size`
  // For pictures that arrive compressed: block size and maximum number of halvings.
  Size block_size{};
  int max_reduction = 0;
  double fps = 0;  // maximum rate; 0: unknown
  bool wait_when_full = false;
  // Rectangle in wall pixels into which the manager fits the picture. Without a size, the picture's
  // size is used; empty: the manager chooses. Only for the first window; later ones take the place
  // of the previous one.
  std::optional<Rect> place{};
  bool keep_shape = true;  // false: the window keeps its shape even if the pictures' shape differs
  bool takes_input = false;  // pointer and keyboard
  TransportOptions transport{};
  // Lets the manager start the window again. Not sent if it exceeds the manager's limits.
  Content content{};
  std::string group{};                 // group of the stream; empty: none
  std::optional<Timeline> timeline{};  // for the group, if it has none yet
  std::optional<JoinParts> part{};     // a rank's part, of size `size`; the window shows the whole
  sail_stream* replaces = nullptr;     // set by WallWindow
};

// Returns an Opening for pictures of this kind. codec: used if they are not compressed.
Opening opening_for(const Picture& picture, const std::string& codec);

class WallSession {
 public:
  using Say = std::function<void(LogLevel level, const std::string& sentence)>;
  // program: name shown in lists. manager: HOST:PORT; empty: libsail's default. threads: number of
  // encoder threads; 0: one per core, -1: none. say: called when the connection to the manager is
  // lost, and when it is back.
  WallSession(std::string program, std::string manager, int threads, Say say);

  // Connects if not yet connected. Waits for the manager's answer. Returns kUnavailable with a
  // message on failure.
  Result<void> open();
  // Call when all streams are closed.
  void close() { session_.reset(); }
  // Connects if necessary and opens a stream. Waits for the manager; one call at a time.
  Result<Stream> open_stream(const Opening& opening);

  // Returns the next event, waiting at most timeout_ms.
  std::optional<sail_event> poll(int timeout_ms);
  // The colours of the wall's displays; while not connected: sRGB.
  codecs::DisplayColor display() const;
  // While not connected: the steady clock's time.
  int64_t wall_now_ns() const { return session_ ? session_->wall_time() : steady_now_ns(); }
  // True while the manager is connected. Otherwise no window can be opened.
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
  // session must outlive the window.
  explicit WallWindow(WallSession& session) : session_(session) {}

  // The opening or the manager places the first window; later ones take the previous one's place.
  Result<void> open(const Opening& opening);
  // open() in two steps, if another thread opens the stream in between.
  Opening placed(Opening opening) const;
  void take(const Opening& opening, Stream stream);
  // Releases the stream, so that the caller can close it on a thread that may block.
  Stream leave() { return std::move(stream_); }

  // Returns true if the window can show the picture. codec: for uncompressed pictures.
  bool fits(const Picture& picture, const std::string& codec) const;
  // Sets the presentation time (wall clock) of the next pictures; 0: as soon as possible.
  void present_at(int64_t present_ns) { present_ns_ = present_ns; }
  int64_t wall_now_ns() const { return session_.wall_now_ns(); }
  // Returns SAIL_DROPPED if the picture is not shown; the caller may try again. The memory is not
  // used after the return.
  sail_status submit(const Picture& picture);
  // Submits a late picture of a carried stream. False: it does not fit.
  bool pass_on(const Picture& picture);
  sail_status submit(const uint8_t* bgra, ptrdiff_t stride);
  // at_ns is steady time here.
  sail_status submit(sail_audio audio);
  bool wall_has_audio() const { return stream_ && stream_.wall_has_audio(); }
  // Reports pictures that were due but not submitted: too late or damaged.
  void skip(uint64_t frames);
  void tell(const sail_playback& playback);
  void tell(const FilmTracks& tracks);

  // Returns the next event of the session or of the current stream, waiting at most timeout_ms.
  std::optional<sail_event> poll(int timeout_ms);
  // Returns false for events of a stream that has been replaced.
  bool concerns(const sail_event& event) const {
    return event.stream == nullptr || event.stream == stream_.get();
  }

  // Call regularly. Returns true when pictures of the same new size have been wanted for rest_ns
  // and the manager is connected, so that a new window can be opened.
  bool settled(Size wanted, int64_t rest_ns);

  Size size() const { return size_; }
  // Size at which the whole picture would appear on the wall.
  Size picture_size() const;
  uint32_t number() const { return stream_ ? stream_.id() : 0; }
  // Enables SAIL_EVENT_LINK for the present stream.
  void watch_links() {
    if (stream_) stream_.watch_links();
  }
  sail_stream_stats stats() const { return stream_ ? stream_.stats() : sail_stream_stats{}; }

 private:
  WallSession& session_;
  Stream stream_;
  Size size_;          // size of the pictures in pixels
  Size display_size_;  // size of the pictures in square pixels
  std::string codec_;
  Size block_size_;
  int64_t present_ns_ = 0;
  Size wanted_;  // wanted picture size, if different from size_
  int64_t wanted_since_ns_ = 0;
};

}  // namespace sail
