// Reads one film's pictures from storage, on a thread of its own, some pictures ahead of the film.
//
// A thread a film, since sources wait for the disk wherever they read: a film on a slow or hanging
// disk then holds up itself only, there is nothing to share out fairly among films, and a few dozen
// threads that sleep cost nothing. Asking the system to fetch ahead (posix_fadvise) would not do:
// opening, seeking and a disk that falls behind would still hold up the loop. Read-ahead is bounded
// by the pictures that the film asks for.
//
// Thread: the loop's. Pictures must be given back to it, by read() or after the end, as their
// memory is the source's.
#pragma once

#include <atomic>
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
#include "sail/net/loop.h"

namespace server {

class FilmReader {
 public:
  using Open = std::function<sail::Result<std::unique_ptr<sail::Source>>()>;
  struct Opened {
    sail::Result<sail::SourceInfo> info;
  };
  struct Read {
    sail::Result<std::optional<sail::Picture>> picture;  // nothing: the film's end
  };
  struct Sought {
    bool done = false;
  };
  // What is wrong with the film though it plays on: a sentence.
  struct Complaint {
    std::string text;
  };
  // The last one: the reader may be destroyed, but not in the callback.
  struct Ended {};
  using Answer = std::variant<Opened, Read, Sought, Complaint, Ended>;

  // Opens the film at once. Answers come from the loop: Opened first, then one for each request in
  // their order, Ended after stop() and nothing behind it.
  FilmReader(sail::Loop& loop, Open open, std::function<void(Answer)> on_answer);
  // After Ended, or else it waits for the thread.
  ~FilmReader();
  FilmReader(const FilmReader&) = delete;
  FilmReader& operator=(const FilmReader&) = delete;

  // The most requests that may be without an answer.
  static constexpr size_t kMaxRequests = 16;

  // The next picture. `spent` goes back to the source.
  void read(sail::Picture spent);
  void seek(int64_t position_ns);
  void stop();

 private:
  struct Request {
    enum class Kind : uint8_t { kRead, kSeek, kStop } kind = Kind::kRead;
    int64_t position_ns = 0;
    sail::Picture spent;
  };

  void run(const Open& open);
  void serve(sail::Source& source, Request request);
  void answer(Answer answer);
  void deliver();

  sail::Loop& loop_;
  const std::function<void(Answer)> on_answer_;
  sail::Mailbox<Request> requests_;
  sail::Mailbox<Answer> answers_;
  std::atomic<bool> stopping_{false};  // what was asked before is not wanted any more
  std::thread thread_;
};

}  // namespace server
