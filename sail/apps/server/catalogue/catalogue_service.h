// The catalogue service. It owns the catalogue and a thread for it, because probing many files
// takes as long as the disk needs while films play. The folder is listed at the start, after each
// change, and every few minutes, because changes by other hosts on a network file system are not
// reported. New and changed films are probed (FilmProbe) when the thread is idle, or when a request
// needs them. vitrail-poster makes posters, one at a time, with the lowest priority; requested
// posters come first. Thread: the loop's.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "sail/apps/server/catalogue/catalogue.h"
#include "sail/apps/server/catalogue/film_probe.h"
#include "sail/apps/server/catalogue/library.h"
#include "sail/core/base/log.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/loop/folder_watch.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/poster_runs.h"
#include "sail/media/storage/reading/fed_bytes.h"

namespace server {

struct Titles {
  std::vector<CatalogueEntry> entries;  // with facts; at most kMaxTitlesAnswered
  bool more = false;                    // more titles follow
};
// Limits the size of an answer to kMaxControlLine.
constexpr size_t kMaxTitlesAnswered = 200;

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
    std::function<void()> ask;                       // called on the thread
    std::function<void(const sail::Error&)> refuse;  // called on the loop
  };
  // The watched folders. Used on the loop only.
  struct Watches {
    std::map<std::string, std::unique_ptr<sail::FolderWatch>> folders;
    bool told = false;  // a failure to watch was logged
  };
  // The poster being made.
  struct Posting {
    std::string title;
    std::string path;
    int64_t begun_ns = 0;
    std::shared_ptr<sail::ByteFeed> feed{};  // for films on disk servers
  };

  template <typename T>
  void put(std::function<sail::Result<T>()> question, Answer<T> answer);
  void push(Question question);
  void watch(const std::vector<std::string>& folders);
  void start_poster(const Posting& posting);

  // --- librarian thread
  void run();
  int64_t idle_ns() const;
  bool poster_is_due() const;
  void follow();
  void read_next();
  // Probes the titles. Returns those that are films, as far as they could be probed.
  std::map<std::string, FilmFacts> read(const std::vector<std::string>& titles);
  void read_those(std::span<CatalogueEntry> entries);
  void learn(const std::string& title, const std::optional<FilmFacts>& facts);
  void begin_next_poster();
  void begin_poster_of(const std::string& title);
  void keep_poster(const sail::Result<std::string>& jpeg);
  sail::Result<std::string> poster_of(const std::string& title);
  sail::Result<Titles> query(TitlesRequest request);
  sail::Result<double> measure();
  sail::Result<CatalogueEntry> known(const std::string& title);
  sail::Result<CatalogueEntry> tag(const std::string& title, const std::vector<std::string>& tags);
  // Replaces a damaged catalogue; logs other errors.
  void mend(const sail::Error& error);
  void mend_later(const sail::Error& error);

  sail::Loop& loop_;
  const Library library_;
  const std::string file_;
  const sail::Log& log_;
  const OpenBytes open_bytes_;
  const std::shared_ptr<Watches> watches_ = std::make_shared<Watches>();
  sail::PosterRuns poster_runs_;  // used on the loop only

  FilmProbe probe_;                     // used on the thread only
  std::optional<Catalogue> catalogue_;  // used on the thread only
  bool unread_ = false;                 // films without a probe may exist
  bool unposted_ = false;               // films without a poster may exist
  int64_t poster_rest_ns_ = 0;          // earliest time for the next poster nobody requested
  std::deque<std::string> asked_;       // titles of requested posters, the latest first
  std::optional<Posting> posting_;
  bool unable_ = false;         // posters cannot be made here
  std::set<std::string> away_;  // placed films that failed; probed again after the next listing
  bool mended_ = false;         // the catalogue was replaced once; not again
  int64_t listed_ns_ = 0;       // end and duration of the last listing
  int64_t listing_ns_ = 0;
  std::string said_;  // the last error logged

  sail::Mailbox<Question> questions_;
  sail::Mailbox<sail::Result<std::string>> made_{1};  // result of the poster in progress
  std::atomic<bool> stale_{true};                     // the folder may have changed
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace server
