// Keeps the catalogue in step with the folder: lists the folder, probes new and changed films, and
// answers questions from the catalogue. One thread, except where stated.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/catalogue.h"
#include "sail/apps/server/catalogue/film_probe.h"
#include "sail/apps/server/catalogue/library.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"

namespace server {

struct Titles {
  std::vector<CatalogueEntry> entries;  // with facts; at most kMaxTitlesAnswered
  bool more = false;                    // more titles follow
  LeftOut left_out;                     // at most kMostLeftOut; only in the first part of all films
};
// Limits the size of an answer to kMaxControlLine.
constexpr size_t kMaxTitlesAnswered = 200;
constexpr size_t kMaxTracksAnswered = 600;

class FilmIndex {
 public:
  // log must outlive this object. catalogue_file: see Catalogue::open. poster_program: path of
  // vitrail-poster. open_bytes: opens films for probes.
  FilmIndex(const Library& library, std::string catalogue_file, std::string poster_program,
            const OpenBytes& open_bytes, const sail::Log& log);

  // --- any thread
  // The folder may have changed. Returns whether that is new.
  bool note_change() { return !stale_.exchange(true); }
  // Permanent: all calls return soon.
  void stop();

  // Called once, before all others.
  void open();
  bool stale() const { return stale_; }
  // Returns true if there may be films that have not been probed.
  bool unread() const { return unread_; }
  // When the next films must be probed, or the folder must be listed; 0: now.
  int64_t next_ns() const;
  // Lists the folder. Returns the folders that were listed; empty: stopped.
  std::optional<std::vector<std::string>> follow();
  void read_next();

  // --- questions
  sail::Result<Titles> query(TitlesRequest request);
  // Probes the film first if necessary. kNotFound.
  sail::Result<CatalogueEntry> known(const std::string& title);
  // Returns the title with its new tags. kNotFound.
  sail::Result<CatalogueEntry> tag(const std::string& title, const std::vector<std::string>& tags);
  // The peak read rate, MB/s. anew: measures it again by reading one of the largest films;
  // otherwise the stored value, if any. kUnavailable: no film is large enough.
  sail::Result<double> peak(bool anew);

  // --- posters
  // Returns true if there may be films without a poster.
  bool unposted() const { return unposted_; }
  // Stops making posters until the next listing.
  void skip_posters() { unposted_ = false; }
  // Empty: none, or the catalogue failed.
  std::string next_unposted();
  // Empty optional: not tried yet. Empty string: no poster can be made.
  sail::Result<std::optional<std::string>> poster(const std::string& title);
  // Stores the poster, or the failure: a film without a poster is not tried again until it changes,
  // or, on disk servers, until the next listing. path: empty: the film is gone.
  void keep_poster(const std::string& title, const std::string& path,
                   const sail::Result<std::string>& jpeg);
  // Replaces a damaged catalogue; logs other errors.
  void mend(const sail::Error& error);

 private:
  // Probes the titles. Returns those that are films, as far as they could be probed.
  std::map<std::string, FilmFacts> read(const std::vector<std::string>& titles);
  void read_those(std::span<CatalogueEntry> entries);
  void learn(const std::string& title, const sail::Result<FilmFacts>& facts);
  void note_misnamed(LeftOut files);
  sail::Result<LeftOut> left_out();
  sail::Result<double> measure();
  void mend_later(const sail::Error& error);

  const Library library_;
  const std::string file_;
  const sail::Log& log_;
  FilmProbe probe_;
  std::optional<Catalogue> catalogue_;
  bool unread_ = false;
  bool unposted_ = false;
  std::set<std::string> away_;  // placed films that failed; probed again after the next listing
  LeftOut misnamed_;            // misnamed files of the last listing
  bool mended_ = false;         // the catalogue was replaced once; not again
  int64_t listed_ns_ = 0;       // end and duration of the last listing
  int64_t listing_ns_ = 0;
  std::string said_;               // the last error logged
  std::atomic<bool> stale_{true};  // the folder may have changed
  std::atomic<bool> ending_{false};
};

}  // namespace server
