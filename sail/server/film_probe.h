// What films are. Those of .vmov it looks into itself. All others are looked into by
// vitrail-poster: what FFmpeg's demuxers read may be made to crash them, or to take all memory.
// One thread, which waits for the runs of that program.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/poster_runs.h"
#include "sail/server/library.h"

namespace server {

class FilmProbe {
 public:
  // program: vitrail-poster. open_bytes: what .vmov films and those on disk servers are read by.
  FilmProbe(const Library& library, std::string program, OpenBytes open_bytes)
      : library_(library), open_bytes_(std::move(open_bytes)), runs_(loop_, std::move(program)) {}

  // An error: it is no film. One that ends the program that looks into it is `unreadable`.
  using Learn = std::function<void(const std::string& title, sail::Result<FilmFacts> facts)>;
  // Once for each title, but when it is stopped or cannot look: an error (kIo: it can soon,
  // kNotFound: there is no such program).
  sail::Result<void> look(const std::vector<std::string>& titles, const Learn& learn);
  // Any thread, for good: nobody waits any longer.
  void stop();

 private:
  struct Found {
    std::string title;
    std::string path;
    FilmFacts facts{};  // where it lies
  };
  struct Run;
  static bool is_vmov(const Found& film);
  sail::Result<Found> find(const std::string& title) const;
  sail::Result<void> look_elsewhere(const Found& film, const Learn& learn);
  sail::Result<void> look(std::span<const Found> films, const Learn& learn);
  sail::Result<Run> run(const std::vector<std::string>& options,
                        const std::vector<std::string>& paths, const sail::ChildFiles& files);
  // How many of the films it told of.
  sail::Result<size_t> learn_from(const Run& run, std::span<const Found> films,
                                  const Learn& learn) const;

  const Library library_;
  const OpenBytes open_bytes_;
  sail::Loop loop_;
  sail::PosterRuns runs_;
  std::atomic<bool> stopped_{false};
};

}  // namespace server
