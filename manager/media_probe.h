// What media files are: found out by vitrail-poster, one file after the other, and kept for as long
// as a file is the same. Thread: the loop's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "manager/media_facts.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/poster_runs.h"

namespace manager {

class MediaProbe {
 public:
  static constexpr size_t kMostAtOnce = 2;
  static constexpr size_t kMostWaiting = 1000;

  // program: vitrail-poster.
  MediaProbe(sail::Loop& loop, std::string program, const sail::Log& log);

  // Null: nobody has looked at it yet. Good until the next call of another function.
  const MediaFacts* known(const FileVersion& file) const;
  enum class Turn { kNext, kLast };
  // Looks at the file unless it is known; `done` comes once, never at once, and never after the
  // guard is gone: then the file is known, unless nobody can look at it now.
  [[nodiscard]] std::shared_ptr<void> look(const FileVersion& file, Turn turn,
                                           std::function<void()> done);
  // vitrail-poster is not there: no file becomes known.
  bool is_unable() const { return unable_; }
  // The file was given another place.
  void moved(const FileVersion& from, const FileVersion& to);
  // Forgets all others.
  void keep_only(const std::vector<FileVersion>& files);

 private:
  using Waiting = std::weak_ptr<std::function<void()>>;
  struct Job {
    FileVersion file;
    std::vector<Waiting> waiting;
    bool running = false;
  };
  void start_next();
  void tell(const std::vector<Waiting>& waiting);
  void over(const FileVersion& file);

  sail::Loop& loop_;
  sail::PosterRuns runs_;
  sail::Log log_;
  std::unordered_map<std::string, MediaFacts> known_;
  std::deque<Job> jobs_;
  bool unable_ = false;
};

}  // namespace manager
