// Facts about the films of a folder, stored in an SQLite file so that a restarted server knows them
// at once. One thread at a time.
//
// Everything except the tags can be learned again from the films, so a damaged file is set aside
// and a new one created.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/catalogue/sqlite.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"

namespace server {

constexpr size_t kMaxTags = 16;  // per title
constexpr size_t kMaxTagBytes = 64;
constexpr int64_t kMaxTagsKept = 200'000;  // of all titles, including those whose film is gone

struct CatalogueEntry {
  std::string title;
  Library::Stamp stamp;
  std::optional<FilmFacts> facts;  // empty: not probed yet
  std::vector<std::string> tags;   // sorted

  uint64_t film_bytes() const {
    return facts && !facts->disks.empty() ? facts->placed_bytes : stamp.bytes;
  }
};
// The read rate that the film needs at normal speed, MB/s; 0: unknown.
double needed_mb_per_s(const Library::Stamp& stamp, int64_t duration_ns);

struct TitlesRequest {
  std::string search = {};  // text in titles or tags, case-insensitive; empty: all
  std::string after = {};   // only titles after this one
  bool playable = false;    // only films that walls can show
};

class Catalogue {
 public:
  // file empty: in memory only. kBadData: damaged. kConflict: another server has it open.
  static sail::Result<Catalogue> open(const std::string& file);
  // Like open(), but replaces a damaged file with a new one. If the file cannot be used otherwise,
  // the catalogue is kept in memory only, and the log says why.
  static Catalogue open_or_begin(const std::string& file, const sail::Log& log);
  // Renames the file, which must not be open, to FILE.damaged, logs that, and creates a new one.
  static Catalogue recreate(const std::string& file, const sail::Error& why, const sail::Log& log);

  // Updates the list of films from the folder. New and changed films must be probed.
  sail::Result<void> follow(const Library::Listing& listing);
  // Films that have not been probed.
  sail::Result<std::vector<std::string>> next_unread(size_t most);
  // Stores the result of a probe; an error: not a film. Unknown titles are ignored.
  sail::Result<void> learn(const std::string& title, const sail::Result<FilmFacts>& facts);
  // Marks the film to be probed again.
  sail::Result<void> doubt(const std::string& title);

  // Films, including those not probed yet, in alphabetical order.
  sail::Result<std::vector<CatalogueEntry>> list(const TitlesRequest& request, size_t most);
  sail::Result<std::optional<CatalogueEntry>> find(const std::string& title);
  // Files that are not films.
  sail::Result<LeftOut> left_out(size_t most);
  // The largest files of the folder, in descending order.
  sail::Result<std::vector<CatalogueEntry>> largest(size_t most);
  // A film whose poster has not been tried; empty: none.
  sail::Result<std::string> next_unposted();
  // jpeg empty: no poster can be made until the film changes.
  sail::Result<void> keep_poster(const std::string& title, const std::string& jpeg);
  // Empty optional: not tried yet. Empty string: no poster can be made.
  sail::Result<std::optional<std::string>> poster(const std::string& title);
  // The measured peak read rate of that folder, MB/s; 0: not measured.
  sail::Result<double> peak(const std::string& folder);
  sail::Result<void> keep_peak(const std::string& folder, double mb_per_s);
  // Replaces the title's tags. kLimit: too many tags in the catalogue.
  sail::Result<void> set_tags(const std::string& title, const std::vector<std::string>& tags);

 private:
  struct Known {
    std::string title;
    Library::Stamp stamp;
  };
  explicit Catalogue(Database database) : database_(std::move(database)) {}
  sail::Result<void> prepare();
  sail::Result<void> remove(const std::vector<std::string>& titles);
  sail::Result<void> add(const std::vector<Known>& films);
  // Runs `work` in one transaction.
  template <typename Work>
  sail::Result<void> together(const Work& work);

  Database database_;
};

}  // namespace server
