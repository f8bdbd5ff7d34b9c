// Reads one film's pictures on a thread of its own, some pictures ahead of the film, so that a film
// on a slow or hanging disk holds up nobody: neither another film nor its own controls.
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
  };
  struct Sought {
    bool done = false;
  };
  // What is wrong with the film though it plays on: a sentence.
  struct Complaint {
    std::string text;
  };
  // The last one: the file is closed.
  struct Ended {};
  using Answer = std::variant<Opened, Read, Sought, Complaint, Ended>;

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
  static constexpr size_t kMaxRequests = 16;

  // The next picture. `spent` goes back to the source.
  void read(Picture spent);
  void seek(int64_t position_ns);
  void stop();

 private:
  struct Request {
    enum class Kind : uint8_t { kRead, kSeek, kStop } kind = Kind::kRead;
    int64_t position_ns = 0;
    Picture spent;
  };

  void run(const Open& open);
  void serve(Source& source, Request request);
  void answer(Answer answer);

  const std::function<void()> on_answer_;
  Mailbox<Request> requests_;
  Mailbox<Answer> answers_;
  std::atomic<bool> stopping_{false};  // what was asked before is not wanted any more
  std::thread thread_;
};

}  // namespace sail
