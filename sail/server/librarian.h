// Has the catalogue, and a thread of its own for it: looking into many files takes as long as the
// disk needs, and films play meanwhile. The folder is looked through at the start, when it has
// changed, and now and then, since nobody tells what others change in a network's file system.
// Films that are new or have changed are looked into when nobody asks for anything, or because
// somebody asks for them (FilmProbe). Posters are made by vitrail-poster, one at a time, when there
// is nothing else to do, those first that somebody asks for. Thread: the loop's.
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

#include "sail/base/log.h"
#include "sail/base/mailbox.h"
#include "sail/net/folder_watch.h"
#include "sail/net/loop.h"
#include "sail/net/poster_runs.h"
#include "sail/server/catalogue.h"
#include "sail/server/film_probe.h"
#include "sail/server/library.h"
#include "sail/storage/fed_bytes.h"

namespace server {

struct Titles {
  std::vector<CatalogueEntry> entries;  // with facts, at most kMaxTitlesAnswered
  bool more = false;                    // there are others behind the last one
};
// So that an answer stays within kMaxControlLine.
constexpr size_t kMaxTitlesAnswered = 200;

class Librarian {
 public:
  template <typename T>
  using Answer = std::function<void(sail::Result<T>)>;

  // catalogue_file: see Catalogue::open. poster_program: vitrail-poster. open_bytes: what films are
  // looked into by.
  Librarian(
      sail::Loop& loop, const Library& library, std::string catalogue_file,
      std::string poster_program, const sail::Log& log,
      OpenBytes open_bytes = [](const std::string& path) { return open_stored(path); });
  // Waits for what is being read.
  ~Librarian();
  Librarian(const Librarian&) = delete;
  Librarian& operator=(const Librarian&) = delete;

  // The answer comes once, from the loop. kLimit: too many ask at once. What is no film is left
  // out.
  void list(TitlesRequest request, Answer<Titles> answer);
  // One title, looked into if nobody has yet. kNotFound.
  void find(std::string title, Answer<CatalogueEntry> answer);
  // A JPEG. kNotFound: there is none. kUnavailable: it is not made yet, but soon.
  void poster(std::string title, Answer<std::string> answer);
  // How fast films are read, MB/s: as was measured before, or anew, for which a film is read that
  // is as large as there is. kUnavailable: none is large enough.
  void peak(bool anew, Answer<double> answer);
  // The title with its new tags. kNotFound.
  void set_tags(std::string title, std::vector<std::string> tags, Answer<CatalogueEntry> answer);
  // The folder has changed.
  void look_again();

 private:
  struct Question {
    std::function<void()> ask;                       // by the thread
    std::function<void(const sail::Error&)> refuse;  // by the loop
  };
  // The loop's side: which folders are watched.
  struct Watches {
    std::map<std::string, std::unique_ptr<sail::FolderWatch>> folders;
    bool told = false;  // that some cannot be
  };
  // A poster that is being made.
  struct Posting {
    std::string title;
    std::string path;
    int64_t begun_ns = 0;
    std::shared_ptr<sail::ByteFeed> feed{};  // of a film that lies elsewhere
  };

  template <typename T>
  void put(std::function<sail::Result<T>()> question, Answer<T> answer);
  void push(Question question);
  void watch(const std::vector<std::string>& folders);
  void start_poster(const Posting& posting);

  // --- the thread's
  void run();
  int64_t idle_ns() const;
  bool poster_is_due() const;
  void follow();
  void read_next();
  // Those that are films, as far as can be known now.
  std::map<std::string, FilmFacts> read(const std::vector<std::string>& titles);
  void read_those(std::span<CatalogueEntry> entries);
  void learn(const std::string& title, const std::optional<FilmFacts>& facts);
  void begin_next_poster();
  void begin_poster_of(const std::string& title);
  void keep_poster(const sail::Result<std::string>& jpeg);
  sail::Result<std::string> poster_of(const std::string& title);
  sail::Result<Titles> look(TitlesRequest request);
  sail::Result<double> measure();
  sail::Result<CatalogueEntry> known(const std::string& title);
  sail::Result<CatalogueEntry> tag(const std::string& title, const std::vector<std::string>& tags);
  // What went wrong with the catalogue is mended, where that can be, or said.
  void mend(const sail::Error& error);
  void mend_later(const sail::Error& error);

  sail::Loop& loop_;
  const Library library_;
  const std::string file_;
  const sail::Log& log_;
  const OpenBytes open_bytes_;
  const std::shared_ptr<Watches> watches_ = std::make_shared<Watches>();
  sail::PosterRuns poster_runs_;  // the loop's

  FilmProbe probe_;                     // the thread's
  std::optional<Catalogue> catalogue_;  // the thread's
  bool unread_ = false;                 // there may be films that nobody has looked into
  bool unposted_ = false;               // or made posters of
  int64_t poster_rest_ns_ = 0;          // until then, unless somebody asks
  std::deque<std::string> asked_;       // for posters of these, the last ones first
  std::optional<Posting> posting_;
  bool unable_ = false;         // to make posters
  std::set<std::string> away_;  // placed ones that could not be read: others may be later
  bool mended_ = false;         // once is enough
  int64_t listed_ns_ = 0;       // when the folder was looked through, how long that took
  int64_t listing_ns_ = 0;
  std::string said_;  // the last thing that went wrong

  sail::Mailbox<Question> questions_;
  sail::Mailbox<sail::Result<std::string>> made_{1};  // what became of the poster
  std::atomic<bool> stale_{true};                     // the folder may have changed
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace server
