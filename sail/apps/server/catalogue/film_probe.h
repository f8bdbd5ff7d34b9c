// Finds the facts of films. It reads .vmov files itself. All others are probed by vitrail-poster in
// a process of its own, because a crafted file may crash FFmpeg's demuxers or exhaust memory. One
// thread, which waits for the runs of that program.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/library.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/poster_runs.h"

namespace server {

class FilmProbe {
 public:
  // program: path of vitrail-poster. open_bytes: opens .vmov films and those on disk servers.
  FilmProbe(const Library& library, std::string program, OpenBytes open_bytes)
      : library_(library), open_bytes_(std::move(open_bytes)), runs_(loop_, std::move(program)) {}

  // An error: not a film. If the film crashed the probe, facts.unreadable says so.
  using Learn = std::function<void(const std::string& title, sail::Result<FilmFacts> facts)>;
  // Calls learn once for each title, unless stopped or unable to probe. Errors: kIo: a retry may
  // succeed; kNotFound: the program is missing.
  sail::Result<void> inspect(const std::vector<std::string>& titles, const Learn& learn);
  // Any thread. Permanent: inspect() returns soon.
  void stop();

 private:
  struct Found {
    std::string title;
    std::string path;
    FilmFacts facts{};  // placement, if on disk servers
  };
  struct Run;
  static bool is_vmov(const Found& film);
  sail::Result<Found> find(const std::string& title) const;
  sail::Result<void> inspect_elsewhere(const Found& film, const Learn& learn);
  sail::Result<void> inspect(std::span<const Found> films, const Learn& learn);
  sail::Result<Run> run(const std::vector<std::string>& options,
                        const std::vector<std::string>& paths, const sail::ChildFiles& files);
  // Returns how many films had a result.
  sail::Result<size_t> learn_from(const Run& run, std::span<const Found> films,
                                  const Learn& learn) const;

  const Library library_;
  const OpenBytes open_bytes_;
  sail::Loop loop_;
  sail::PosterRuns runs_;
  std::atomic<bool> stopped_{false};
};

}  // namespace server
