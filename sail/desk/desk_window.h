// A window of the desk on the wall: one session and one stream of BGRA pictures, opened anew in its
// own place when the pictures' size changes. One thread.
#pragma once

#include <sail/sail.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/desk/desk_options.h"

namespace sail {

class DeskWindow {
 public:
  // Both outlive the window. program: its name in lists.
  DeskWindow(const DeskOptions& options, std::string program);

  Result<void> connect();

  struct Opening {
    std::string title;
    Size size;               // of the pictures
    double fps = 0;          // at most so many a second; 0: unknown
    bool keep_shape = true;  // false: the window stays as it is though the pictures' shape differs
    bool takes_input = false;  // pointer and keys
    // Files by which the manager can have the window again (absolute paths); none: it cannot.
    std::vector<std::string> media{};
    bool loop = false;  // how they are shown
  };
  // The first time where the options or the manager say; then in the place of the window before.
  Result<void> open(const Opening& opening);

  // SAIL_DROPPED: not shown, to be tried again. The pixels are read no more after it.
  sail_status submit(const uint8_t* bgra, ptrdiff_t stride);

  // Which page of a document is shown, for who controls it.
  struct Page {
    int page = 0;  // from 1
    int pages = 0;
    bool loop = false;
  };
  void tell(const Page& page);

  // The next event of the session or of the stream that is open now.
  std::optional<sail_event> poll(int timeout_ms);

  bool is_open() const { return static_cast<bool>(stream_); }
  Size size() const { return size_; }
  // Where it stands, wall pixels.
  Rect wall_rect() const;
  sail_stream* stream() const { return stream_.get(); }
  sail_stream_stats stats() const { return stream_.stats(); }

 private:
  Rect place_for(const Opening& opening) const;

  const DeskOptions& options_;
  const std::string program_;
  std::optional<Session> session_;
  Stream stream_;
  Size size_;
};

}  // namespace sail
