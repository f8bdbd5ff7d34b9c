// Answers what the library holds, on a thread of its own: looking into many files takes as long as
// the disk needs, and films play meanwhile. What was found is kept as long as the files stay the
// same. Thread: the loop's.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sail/base/mailbox.h"
#include "sail/net/loop.h"
#include "sail/server/library.h"

namespace server {

struct TitlesRequest {
  std::string search;  // in titles, letters of ASCII in either case; empty: all
  std::string after;   // only titles behind this one
};

struct Titles {
  struct Entry {
    std::string title;
    FilmFacts facts;
  };
  std::vector<Entry> entries;  // at most kMaxTitlesAnswered
  bool more = false;           // there are others behind the last one
};
// So that an answer stays within kMaxControlLine.
constexpr size_t kMaxTitlesAnswered = 200;

class Librarian {
 public:
  using Answer = std::function<void(sail::Result<Titles>)>;

  Librarian(sail::Loop& loop, const Library& library);
  // Waits for the file that is being looked into.
  ~Librarian();
  Librarian(const Librarian&) = delete;
  Librarian& operator=(const Librarian&) = delete;

  // answer comes once, from the loop. kLimit: too many ask at once. Files that cannot be played are
  // left out.
  void list(TitlesRequest request, Answer answer);

 private:
  struct Question {
    TitlesRequest request;
    Answer answer;
  };
  struct Known {
    std::filesystem::file_time_type changed;
    uintmax_t bytes = 0;
    std::optional<FilmFacts> facts;  // nothing: cannot be played
  };

  void run();
  Titles look(const TitlesRequest& request);
  const std::optional<FilmFacts>& facts_of(const std::string& title);
  void forget_unseen(const std::vector<std::string>& titles);

  sail::Loop& loop_;
  const Library library_;
  std::map<std::string, Known> known_;  // by title; for the thread only
  sail::Mailbox<Question> questions_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace server
