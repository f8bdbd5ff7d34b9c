// Reads the speaker's notes of presentations, by vitrail-poster. Runs on the loop thread.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/poster_runs.h"
#include "sail/core/text/json.h"

namespace manager {

class SpeakerNotes {
 public:
  static constexpr size_t kMostAtOnce = 2;    // Runs of vitrail-poster.
  static constexpr size_t kMostWaiting = 64;  // Further requests.

  // program: path of vitrail-poster.
  SpeakerNotes(sail::Loop& loop, std::string program) : runs_(loop, std::move(program)) {}

  // An array with an object for each page: "title", "notes" and "cut", unless they are empty or
  // false. Empty: the file is not a presentation. Errors: kBadData (with the reason of
  // vitrail-poster, if it tells one), kLimit (too many requests wait), kNotFound (no
  // vitrail-poster).
  // Not called after this object has ended.
  using Done = std::function<void(const sail::Result<sail::Json>&)>;
  // path: of a file on this host.
  void read(const std::string& path, Done done);

 private:
  struct Job {
    std::string path;
    Done done;
  };
  void start_next();

  std::deque<Job> waiting_;
  size_t running_ = 0;
  sail::PosterRuns runs_;
};

// Checks the output of `vitrail-poster --notes`, which a hostile file may control.
sail::Result<sail::Json> parse_speaker_notes(std::string_view output);

}  // namespace manager
