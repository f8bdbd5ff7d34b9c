// What is known of the films of a folder, kept in a file of SQLite so that a server that starts
// knows at once what it knew before. One thread.
//
// Everything in it but the tags can be found again by looking into the films: a damaged file is set
// aside, and another one begun.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/server/library.h"
#include "sail/server/sqlite.h"

namespace server {

constexpr size_t kMaxTags = 16;  // of a title
constexpr size_t kMaxTagBytes = 64;
constexpr int64_t kMaxTagsKept = 200'000;  // of all titles, those whose film is gone, too

struct CatalogueEntry {
  std::string title;
  Library::Stamp stamp;
  std::optional<FilmFacts> facts;  // nothing: nobody has looked into it yet
  std::vector<std::string> tags;   // alphabetical

  uint64_t film_bytes() const {
    return facts && !facts->disks.empty() ? facts->placed_bytes : stamp.bytes;
  }
};
// What it takes to play the film as fast as it goes; 0: unknown.
double needed_mb_per_s(const Library::Stamp& stamp, int64_t duration_ns);

struct TitlesRequest {
  std::string search = {};  // in titles and tags, in either case; empty: all
  std::string after = {};   // only titles behind this one
  bool playable = false;    // only what walls can show
};

class Catalogue {
 public:
  // Empty: it is kept nowhere. kBadData: it is damaged. kConflict: another server has it.
  static sail::Result<Catalogue> open(const std::string& file);
  // The same, and what is damaged is begun anew. Where there is no way to keep it, it is kept
  // nowhere, and the log says why.
  static Catalogue open_or_begin(const std::string& file, const sail::Log& log);
  // The file, which nobody has open, is set aside as FILE.damaged; the log says so.
  static Catalogue begin_anew(const std::string& file, const sail::Error& why,
                              const sail::Log& log);

  // The folder holds these now. What has changed is to be looked into again.
  sail::Result<void> follow(const Library::Listing& listing);
  // Films that nobody has looked into.
  sail::Result<std::vector<std::string>> next_unread(size_t most);
  // What was found in it; nothing: it is no film. A title that is not there is none any more.
  sail::Result<void> learn(const std::string& title, const std::optional<FilmFacts>& facts);
  // It is to be looked into again.
  sail::Result<void> doubt(const std::string& title);

  // Films and those that nobody has looked into, in alphabetical order.
  sail::Result<std::vector<CatalogueEntry>> list(const TitlesRequest& request, size_t most);
  sail::Result<std::optional<CatalogueEntry>> find(const std::string& title);
  // Of the folder, the largest first.
  sail::Result<std::vector<CatalogueEntry>> largest(size_t most);
  // A film whose poster nobody has tried to make; empty: there is none.
  sail::Result<std::string> next_unposted();
  // A JPEG; empty: none can be made, until the film changes.
  sail::Result<void> keep_poster(const std::string& title, const std::string& jpeg);
  // Nothing: nobody has tried to make it.
  sail::Result<std::optional<std::string>> poster(const std::string& title);
  // How fast films are read from that folder, MB/s; 0: nobody has measured it.
  sail::Result<double> peak(const std::string& folder);
  sail::Result<void> keep_peak(const std::string& folder, double mb_per_s);
  // Instead of those that it has. kLimit: there are too many of all titles.
  sail::Result<void> set_tags(const std::string& title, const std::vector<std::string>& tags);

 private:
  struct Known {
    std::string title;
    Library::Stamp stamp;
  };
  explicit Catalogue(Database database) : database_(std::move(database)) {}
  sail::Result<void> prepare();
  sail::Result<std::vector<Known>> known();
  sail::Result<void> remove(const std::vector<std::string>& titles);
  sail::Result<void> add(const std::vector<Known>& films);
  sail::Result<std::vector<CatalogueEntry>> entries(Statement& statement);
  // All of it or nothing.
  template <typename Work>
  sail::Result<void> together(const Work& work);

  Database database_;
};

}  // namespace server
