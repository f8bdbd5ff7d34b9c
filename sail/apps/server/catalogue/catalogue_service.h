// Answers questions about the films, on a thread of its own, because probing many files takes as
// long as the disk needs while films play. The folder is listed at the start, after each change,
// and every few minutes, because changes by other hosts on a network file system are not reported.
// Films are probed when the thread is idle, or when a request needs them; then vitrail-poster makes
// posters, with the lowest priority. Thread: the loop's.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sail/apps/server/catalogue/catalogue.h"
#include "sail/apps/server/catalogue/film_index.h"
#include "sail/apps/server/catalogue/folder_watches.h"
#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/catalogue/poster_queue.h"
#include "sail/core/base/log.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/poster_runs.h"

namespace server {

class CatalogueService {
 public:
  template <typename T>
  using Answer = std::function<void(sail::Result<T>)>;

  // catalogue_file: see Catalogue::open. poster_program: path of vitrail-poster. open_bytes: opens
  // films for probes and posters.
  CatalogueService(
      sail::Loop& loop, const Library& library, std::string catalogue_file,
      std::string poster_program, const sail::Log& log,
      OpenBytes open_bytes = [](const std::string& path) { return open_stored(path); });
  // Waits for the reads in progress.
  ~CatalogueService();
  CatalogueService(const CatalogueService&) = delete;
  CatalogueService& operator=(const CatalogueService&) = delete;

  // `answer` is called once, on the loop. kLimit: too many requests waiting. Files that are not
  // films are left out.
  void list(TitlesRequest request, Answer<Titles> answer);
  // Finds one title; probes it first if necessary. kNotFound.
  void find(std::string title, Answer<CatalogueEntry> answer);
  // Returns a JPEG. kNotFound: the film has no poster. kUnavailable: not made yet; ask again soon.
  void poster(std::string title, Answer<std::string> answer);
  // The peak read rate, MB/s. anew: measures it again by reading one of the largest films;
  // otherwise the stored value, if any. kUnavailable: no film is large enough.
  void peak(bool anew, Answer<double> answer);
  // Returns the title with its new tags. kNotFound.
  void set_tags(std::string title, std::vector<std::string> tags, Answer<CatalogueEntry> answer);
  // Call when the folder has changed.
  void list_again();

 private:
  struct Question {
    std::function<void()> ask;                       // called on the librarian thread
    std::function<void(const sail::Error&)> refuse;  // called on the loop
  };
  template <typename T>
  void put(std::function<sail::Result<T>()> question, Answer<T> answer);
  void push(Question question);
  void start_poster(const PosterJob& job);

  // --- librarian thread
  void run();
  void follow();

  sail::Loop& loop_;
  // Used on the loop only, as the PosterRuns. Callbacks posted to the loop hold a weak reference.
  const std::shared_ptr<FolderWatches> watches_;
  sail::PosterRuns poster_runs_;

  FilmIndex index_;      // used on the librarian thread
  PosterQueue posters_;  // used on the librarian thread

  sail::Mailbox<Question> questions_;
  sail::Mailbox<sail::Result<std::string>> made_{1};  // result of the poster in progress
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace server
