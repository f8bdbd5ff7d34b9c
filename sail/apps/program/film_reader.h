// Reads and decodes one video's pictures ahead of playback on its own thread. So a slow or hanging
// disk, or a video that is hard to decode, delays neither other videos nor the video's own
// controls. A looping video is read across the seam: its first pictures are ready before its last
// ones have been shown.
//
// There is one thread per video, because sources block wherever they read. A few dozen sleeping
// threads cost nothing, and there is nothing to schedule among videos. Asking the kernel to
// prefetch (posix_fadvise) would not suffice: opening, seeking and a slow disk would still block
// the caller. Read-ahead is bounded by the number of requests.
//
// One thread makes requests and takes answers. A picture's memory belongs to the source: return
// pictures by read(); pictures that are not returned must outlive the reader.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "sail/core/base/mailbox.h"
#include "sail/core/base/result.h"
#include "sail/media/film/late_pictures.h"
#include "sail/media/source/source.h"

namespace sail {

class FilmReader {
 public:
  // Called on the reader's thread. The source may keep `interrupted`, which returns true once the
  // video is no longer wanted.
  using Open =
      std::function<Result<std::unique_ptr<Source>>(const std::function<bool()>& interrupted)>;
  struct Opened {
    Result<SourceInfo> info;
  };
  struct Read {
    Result<std::optional<Picture>> picture;  // empty: end of the video
    bool again = false;                      // the next picture is the first one again
    uint64_t left_out = 0;  // pictures before this one that were late, missing or damaged
  };
  // Answers a read() that a later seek() has made obsolete.
  struct Passed {};
  struct Sought {
    bool done = false;
  };
  // A problem that does not stop playback, as a sentence.
  struct Complaint {
    std::string text;
  };
  // The last answer: the file is closed.
  struct Ended {
    ReadFigures figures;
  };
  using Answer = std::variant<Opened, Read, Passed, Sought, Complaint, Ended>;

  // Starts to open the video. on_answer is called on the reader's thread once for each available
  // answer; it may be empty.
  FilmReader(Open open, std::function<void()> on_answer);
  // Waits for the thread to end.
  ~FilmReader();
  FilmReader(const FilmReader&) = delete;
  FilmReader& operator=(const FilmReader&) = delete;

  // Returns the next answer, waiting at most `wait`. Opened comes first, then one answer per
  // request in the order of requests. Complaints may come in between. Ended follows stop().
  std::optional<Answer> take(std::chrono::nanoseconds wait = std::chrono::nanoseconds(0)) {
    return answers_.pop(wait);
  }

  // Maximum number of unanswered requests.
  static constexpr size_t kMaxRequests = 17;

  // Requests the next picture. `spent` returns to the source. again: at the end of the video, seek
  // to the beginning, if the source can seek and the video has more than one picture.
  void read(Picture spent, bool again);
  // Reads requested before the seek are answered by Passed.
  void seek(int64_t position_ns);
  // Applies to the requests that are not served yet.
  void choose_subtitles(const SubtitleChoice& choice);
  // The source leaves out pictures that are late by this clock, also for requests that are not
  // served yet. Empty, as at the beginning: it leaves out none.
  void set_clock(const std::optional<FilmClock>& clock) { late_.set_clock(clock); }
  void stop();

 private:
  struct Request {
    enum class Kind : uint8_t { kRead, kSeek, kStop } kind = Kind::kRead;
    int64_t position_ns = 0;
    Picture spent;
    bool again = false;
    uint64_t seeks = 0;  // number of seeks requested before this request
  };

  void run(const Open& open);
  void serve(Source& source, Request request);
  void show_chosen_subtitles(Source& source);
  void read_next(Source& source, bool again);
  void answer(Answer answer);

  const std::function<void()> on_answer_;
  Mailbox<Request> requests_;
  Mailbox<Answer> answers_;
  std::mutex subtitles_mutex_;
  std::optional<SubtitleChoice> subtitles_;  // chosen, but not applied
  LatePictures late_;
  std::atomic<bool> stopping_{false};  // earlier requests are obsolete
  std::atomic<uint64_t> seeks_{0};     // number of seeks requested
  uint64_t given_ = 0;                 // pictures delivered; used only by the reader's thread
  std::thread thread_;
};

}  // namespace sail
