// The thread that reads and draws stills, so that who submits never waits for a disk. Of what is
// asked for only the newest counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sail/base/mailbox.h"
#include "sail/desk/coarse_picture.h"
#include "sail/desk/still.h"

namespace sail {

// A page of one of the files.
struct StillPage {
  size_t file = 0;
  int page = 0;  // from 0

  bool operator==(const StillPage&) const = default;
};

class StillReader {
 public:
  // What is to be drawn. Without a view: as much of the page as fits into the frame, in its middle.
  struct Request {
    StillPage what;
    Size frame;
    std::optional<PageView> view;
  };
  struct Answer {
    StillPage what;
    Result<PageInfo> info;
    Result<DrawnView> drawn;
  };

  explicit StillReader(std::vector<std::string> files);
  ~StillReader();
  StillReader(const StillReader&) = delete;
  StillReader& operator=(const StillReader&) = delete;

  // From one thread. Requests that have not been begun are forgotten.
  void ask(Request request);
  // The next answer, waiting at most so long.
  std::optional<Answer> take(std::chrono::nanoseconds wait = std::chrono::nanoseconds(0));
  // Waits so long for the thread to end. False: it is in the middle of a picture still.
  bool end(std::chrono::nanoseconds wait);

 private:
  static constexpr std::chrono::seconds kIdle{1};

  void run();
  Answer answer(const Request& request);
  Result<PageInfo> turn_to(const StillPage& what);

  const std::vector<std::string> files_;
  // An empty one ends the thread.
  Mailbox<std::optional<Request>> requests_{1};
  Mailbox<Answer> answers_{2};
  Mailbox<bool> ended_{1};

  // The thread's own.
  std::unique_ptr<Still> still_;
  std::optional<size_t> file_;  // that still_ is of
  std::optional<StillPage> page_;
  PageInfo info_;

  std::thread thread_;
};

// The view of a whole page in a frame.
PageView fitted_view(Size frame, const PageInfo& page);

}  // namespace sail
