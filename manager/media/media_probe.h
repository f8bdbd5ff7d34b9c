// Probes media files with vitrail-poster, at most kMostAtOnce at a time, and caches the facts until
// a file changes. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "manager/media/media_facts.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/poster_runs.h"

namespace manager {

class MediaProbe {
 public:
  static constexpr size_t kMostAtOnce = 2;
  static constexpr size_t kMostWaiting = 1000;

  // program: path of vitrail-poster.
  MediaProbe(sail::Loop& loop, std::string program, const sail::Log& log);

  // Null: not probed yet. Valid until the next call of another function.
  const MediaFacts* known(const FileVersion& file) const;
  enum class Turn { kNext, kLast };
  // Probes the file unless it is known. Calls `done` once, later from the loop, unless the returned
  // guard is destroyed first. The file is then known, unless it cannot be probed now.
  [[nodiscard]] std::shared_ptr<void> inspect(const FileVersion& file, Turn turn,
                                              std::function<void()> done);
  // Whether vitrail-poster is missing; no file becomes known then.
  bool is_unable() const { return unable_; }
  // The file was moved; its facts stay known.
  void moved(const FileVersion& from, const FileVersion& to);
  // Forgets all other files.
  void keep_only(const std::vector<FileVersion>& files);

 private:
  using Waiting = std::weak_ptr<std::function<void()>>;
  struct Job {
    FileVersion file;
    std::vector<Waiting> waiting;
    bool running = false;
  };
  void start_next();
  void notify(const std::vector<Waiting>& waiting);
  void over(const FileVersion& file);

  sail::Loop& loop_;
  sail::PosterRuns runs_;
  sail::Log log_;
  std::unordered_map<std::string, MediaFacts> known_;
  std::deque<Job> jobs_;
  bool unable_ = false;
};

}  // namespace manager
