// Reads and draws stills on its own thread, so that the submitting thread never waits for a disk.
// Only the newest request counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "codecs/color/color_transform.h"
#include "sail/apps/show/still.h"
#include "sail/core/base/mailbox.h"

namespace sail {

// A page of one of the files.
struct StillPage {
  size_t file = 0;
  int page = 0;  // from 0

  bool operator==(const StillPage&) const = default;
};

class StillReader {
 public:
  // A page to draw. Without a view: the whole page, fitted into the frame and centred.
  struct Request {
    StillPage what;
    Size frame;
    std::optional<PageView> view;
    bool size_first = false;  // is answered first, if it is known before the picture is read
    bool size_only = false;   // the size or a preview suffices
  };
  // Without a view in the request, the size and a preview of a large page may come before its
  // answer.
  struct Answer {
    StillPage what;
    Size frame;  // frame of the request
    Result<PageInfo> info;
    // A preview's view has another frame; an error: only the size is known.
    Result<DrawnView> drawn;
    bool preview = false;
    std::string defects = {};  // as Still::defects()
  };

  explicit StillReader(std::vector<std::string> files);
  ~StillReader();
  StillReader(const StillReader&) = delete;
  StillReader& operator=(const StillReader&) = delete;

  // Sets the colours of the displays. Call before ask().
  void show_on(const codecs::DisplayColor& display) { display_ = display; }
  // Replaces a request that has not been started. Call from one thread.
  void ask(Request request);
  // Returns the next answer, waiting at most `wait`.
  std::optional<Answer> take(std::chrono::nanoseconds wait = std::chrono::nanoseconds(0));
  // Waits at most `wait` for the thread to end. Returns false if it is still busy.
  bool end(std::chrono::nanoseconds wait);

 private:
  static constexpr std::chrono::seconds kIdle{1};

  void run();
  void answer(const Request& request);
  // Answers with what is quickly known of a page that has not been read. True if that suffices.
  bool answer_early(const Request& request);
  Answer draw(const Request& request);
  Result<void> open(size_t file);
  Result<PageInfo> turn_to(const StillPage& what);

  const std::vector<std::string> files_;
  codecs::DisplayColor display_;
  // An empty request ends the thread.
  Mailbox<std::optional<Request>> requests_{1};
  Mailbox<Answer> answers_{2};
  Mailbox<bool> ended_{1};

  // Used only by the reader's thread.
  std::unique_ptr<Still> still_;
  std::optional<size_t> file_;  // index of the file opened as still_
  std::optional<StillPage> page_;
  PageInfo info_;

  std::thread thread_;
};

// Returns the view that fits the whole page into the frame.
PageView fitted_view(Size frame, const PageInfo& page);

}  // namespace sail
