// Reads and decodes one film's pictures on a thread of its own, ahead of the film, so that a film
// on a slow or hanging disk, or one that is hard to decode, holds up nobody: neither another film
// nor its own controls. A film that begins again is read across its seam: its first pictures are
// there before its last ones are over.
//
// A thread a film, since sources wait wherever they read: there is nothing to share out fairly
// among films, and a few dozen threads that sleep cost nothing. Asking the system to fetch ahead
// (posix_fadvise) would not do: opening, seeking and a disk that falls behind would still hold up
// who asks. Read-ahead is bounded by the pictures that are asked for.
//
// One thread asks and takes the answers. Pictures must be given back by read() or go after the
// reader, as their memory is the source's.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "sail/base/mailbox.h"
#include "sail/base/result.h"
#include "sail/media/source.h"

namespace sail {

class FilmReader {
 public:
  // Called by the reader's thread. interrupted, which the source may keep: nobody wants the film
  // any more.
  using Open =
      std::function<Result<std::unique_ptr<Source>>(const std::function<bool()>& interrupted)>;
  struct Opened {
    Result<SourceInfo> info;
  };
  struct Read {
    Result<std::optional<Picture>> picture;  // nothing: the film's end
    bool again = false;                      // and what is read next is its beginning
    uint64_t left_out = 0;                   // damaged pictures before this one
  };
  // A picture that was asked for before a seek, and is not wanted any more.
  struct Passed {};
  struct Sought {
    bool done = false;
  };
  // What is wrong with the film though it plays on: a sentence.
  struct Complaint {
    std::string text;
  };
  // The last one: the file is closed.
  struct Ended {
    ReadFigures figures;
  };
  using Answer = std::variant<Opened, Read, Passed, Sought, Complaint, Ended>;

  // Opens the film at once. on_answer: called by the reader's thread once for each answer that
  // waits; may be empty.
  FilmReader(Open open, std::function<void()> on_answer);
  // Waits for the thread.
  ~FilmReader();
  FilmReader(const FilmReader&) = delete;
  FilmReader& operator=(const FilmReader&) = delete;

  // The next answer, waiting at most so long: Opened first, then one for each request in their
  // order, Ended after stop() and nothing behind it.
  std::optional<Answer> take(std::chrono::nanoseconds wait = std::chrono::nanoseconds(0)) {
    return answers_.pop(wait);
  }

  // The most requests that may be without an answer.
  static constexpr size_t kMaxRequests = 17;

  // The next picture. `spent` goes back to the source. again: at the film's end it is sought to its
  // beginning, where that can be and there is more than a single picture.
  void read(Picture spent, bool again);
  // Pictures asked for before are read no more.
  void seek(int64_t position_ns);
  void stop();

 private:
  struct Request {
    enum class Kind : uint8_t { kRead, kSeek, kStop } kind = Kind::kRead;
    int64_t position_ns = 0;
    Picture spent;
    bool again = false;
    uint64_t seeks = 0;  // asked for before it
  };

  void run(const Open& open);
  void serve(Source& source, Request request);
  void read_next(Source& source, bool again);
  void answer(Answer answer);

  const std::function<void()> on_answer_;
  Mailbox<Request> requests_;
  Mailbox<Answer> answers_;
  std::atomic<bool> stopping_{false};  // what was asked before is not wanted any more
  std::atomic<uint64_t> seeks_{0};     // asked for
  uint64_t given_ = 0;                 // pictures; the reader's thread
  std::thread thread_;
};

}  // namespace sail
