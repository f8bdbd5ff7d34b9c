#include "sail/apps/server/catalogue/film_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sail/apps/server/catalogue/folder_watches.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/media/storage/reading/file.h"
#include "sail/media/storage/reading/read_speed.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Result;

// Minimum pause between listings, because a folder changes constantly while a film is being
// written.
constexpr int64_t kRestNs = 500 * sail::kMillisecondNs;
constexpr int64_t kRestOfListings = 10;
constexpr int64_t kMeasureNs = 500 * sail::kMillisecondNs;
constexpr size_t kTriedToMeasure = 8;  // films tried; the largest may be folders of pictures
constexpr size_t kReadAtOnce = 64;     // films per probe; requests wait for the whole probe

}  // namespace

FilmIndex::FilmIndex(const Library& library, std::string catalogue_file, std::string poster_program,
                     const OpenBytes& open_bytes, const sail::Log& log)
    : library_(library),
      file_(std::move(catalogue_file)),
      log_(log),
      probe_(library, std::move(poster_program), open_bytes) {}

void FilmIndex::stop() {
  ending_ = true;
  probe_.stop();
}

void FilmIndex::open() {
  catalogue_ = Catalogue::open_or_begin(file_, log_);
}

// --- listing and probing -------------------------------------------------------------------------

int64_t FilmIndex::next_ns() const {
  if (unread_ || listed_ns_ == 0) return 0;
  const int64_t rest =
      stale_ ? std::max(kRestNs, kRestOfListings * listing_ns_) : kUnwatchedCheckNs;
  return listed_ns_ + rest;
}

std::optional<std::vector<std::string>> FilmIndex::follow() {
  const int64_t begun_ns = sail::steady_now_ns();
  stale_ = false;
  Library::Listing listing = library_.list([this] { return ending_.load(); });
  if (ending_) return std::nullopt;
  if (auto followed = catalogue_->follow(listing); !followed) mend_later(followed.error());
  for (const std::string& title : std::exchange(away_, {})) {
    if (auto doubted = catalogue_->doubt(title); !doubted) mend_later(doubted.error());
  }
  listed_ns_ = sail::steady_now_ns();
  listing_ns_ = listed_ns_ - begun_ns;
  unread_ = true;
  unposted_ = true;
  note_misnamed(std::move(listing.left_out));
  if (!listing.whole) {
    mend(sail::fail(ErrorCode::kLimit,
                    fmt::format("{} contains more than {} films: the other films are ignored",
                                library_.folder(), Library::kMaxTitles)));
  }
  return std::move(listing.folders);
}

void FilmIndex::note_misnamed(LeftOut files) {
  if (files == misnamed_) return;
  misnamed_ = std::move(files);
  if (misnamed_.empty()) return;
  const auto& [name, why] = *misnamed_.begin();
  log_.warning("films are not listed because of their names, such as '{}': {}",
               sail::make_plain_text(name, kMaxTitleBytes), why);
}

void FilmIndex::read_next() {
  const auto next = catalogue_->next_unread(kReadAtOnce);
  unread_ = next && !next->empty();
  if (!next) return mend(next.error());
  if (unread_) read(*next);
}

std::map<std::string, FilmFacts> FilmIndex::read(const std::vector<std::string>& titles) {
  std::map<std::string, FilmFacts> films;
  const auto looked =
      probe_.inspect(titles, [&](const std::string& title, Result<FilmFacts> facts) {
        const auto path = library_.find(title);
        std::string& why = facts ? facts->unreadable : facts.error().message;
        if (path) why = without_folder(std::move(why), *path, title);
        if (facts) films[title] = *facts;
        learn(title, facts);
      });
  if (looked || ending_) return films;
  const sail::Error error{ErrorCode::kUnavailable,
                          fmt::format("some films were not probed: {}", looked.error().message)};
  unread_ = false;
  looked.error().code == ErrorCode::kIo ? mend_later(error) : mend(error);
  return films;
}

// Probes those entries that have not been probed.
void FilmIndex::read_those(std::span<CatalogueEntry> entries) {
  std::vector<std::string> unread;
  for (const CatalogueEntry& entry : entries) {
    if (!entry.facts) unread.push_back(entry.title);
  }
  if (unread.empty()) return;
  const auto films = read(unread);
  for (CatalogueEntry& entry : entries) {
    const auto film = films.find(entry.title);
    if (film != films.end()) entry.facts = film->second;
  }
}

void FilmIndex::learn(const std::string& title, const Result<FilmFacts>& facts) {
  const bool known = facts && facts->unreadable.empty();
  if (facts && !known) log_.warning("cannot probe {}: {}", title, facts->unreadable);
  const auto path = library_.find(title);
  if (!known && path && is_placed(*path)) away_.insert(title);
  if (auto learnt = catalogue_->learn(title, facts); !learnt) mend_later(learnt.error());
}

// --- questions -----------------------------------------------------------------------------------

Result<Titles> FilmIndex::query(TitlesRequest request) {
  Titles found;
  size_t tracks = 0;
  const bool all = request.search.empty() && request.after.empty() && !request.playable;
  while (!ending_) {
    auto some = catalogue_->list(request, kMaxTitlesAnswered + 1);
    if (!some) {
      mend(some.error());
      return std::move(some.error());
    }
    read_those(*some);
    for (CatalogueEntry& entry : *some) {
      request.after = entry.title;
      if (!entry.facts || (request.playable && !entry.facts->playable)) continue;
      tracks += entry.facts->description.tracks.size();
      found.more = found.entries.size() == kMaxTitlesAnswered || tracks > kMaxTracksAnswered;
      if (found.more) break;
      found.entries.push_back(std::move(entry));
    }
    if (found.more || some->size() <= kMaxTitlesAnswered) break;
  }
  if (!all) return found;
  return left_out().map([&found](LeftOut files) {
    found.left_out = std::move(files);
    return std::move(found);
  });
}

Result<LeftOut> FilmIndex::left_out() {
  auto files = catalogue_->left_out(kMostLeftOut - misnamed_.size());
  if (!files) {
    mend(files.error());
    return files;
  }
  files->insert(misnamed_.begin(), misnamed_.end());
  return files;
}

Result<CatalogueEntry> FilmIndex::known(const std::string& title) {
  auto entry = catalogue_->find(title);
  if (!entry) {
    mend(entry.error());
    return std::move(entry.error());
  }
  if (*entry) read_those({&**entry, 1});
  if (*entry && (*entry)->facts) return std::move(**entry);
  return sail::fail(ErrorCode::kNotFound,
                    fmt::format("there is no film '{}': `titles` lists them", title));
}

Result<CatalogueEntry> FilmIndex::tag(const std::string& title,
                                      const std::vector<std::string>& tags) {
  if (auto entry = known(title); !entry) return entry;
  if (auto set = catalogue_->set_tags(title, tags); !set) return std::move(set.error());
  return known(title);
}

Result<double> FilmIndex::peak(bool anew) {
  const auto known = anew ? Result<double>(0.0) : catalogue_->peak(library_.folder());
  return known && *known > 0 ? known : measure();
}

// Measures with the block size and number of reads that players use.
Result<double> FilmIndex::measure() {
  const sail::ReadTrial trial{.time_ns = kMeasureNs, .once = true};
  const auto films = catalogue_->largest(kTriedToMeasure);
  if (!films) return films.error();
  for (const CatalogueEntry& film : *films) {
    const auto path = library_.find(film.title);
    if (!path || is_placed(*path) || std::filesystem::is_directory(*path)) continue;
    const auto file = sail::File::open_to_read(*path);
    if (!file) continue;
    file->forget();
    const auto speed = sail::measure_reading(*file, trial, [this] { return ending_.load(); });
    if (!speed) continue;
    if (auto kept = catalogue_->keep_peak(library_.folder(), speed->mb_per_s()); !kept) {
      mend(kept.error());
    }
    return speed->mb_per_s();
  }
  return sail::fail(ErrorCode::kUnavailable,
                    "cannot measure the read rate: no film has 1 MiB or more");
}

// --- posters -------------------------------------------------------------------------------------

std::string FilmIndex::next_unposted() {
  const auto next = catalogue_->next_unposted();
  unposted_ = next && !next->empty();
  if (next) return *next;
  mend(next.error());
  return "";
}

Result<std::optional<std::string>> FilmIndex::poster(const std::string& title) {
  auto kept = catalogue_->poster(title);
  if (!kept) mend(kept.error());
  return kept;
}

void FilmIndex::keep_poster(const std::string& title, const std::string& path,
                            const Result<std::string>& jpeg) {
  if (!jpeg && !path.empty()) {
    log_.warning("cannot create a poster of {}: {}", title, jpeg.error().message);
  }
  if (!jpeg && is_placed(path)) away_.insert(title);
  if (auto kept = catalogue_->keep_poster(title, jpeg.value_or("")); !kept) {
    mend_later(kept.error());
  }
}

// --- errors --------------------------------------------------------------------------------------

// Reports the error and retries with the next listing, for example after a full disk or a lack of
// descriptors.
void FilmIndex::mend_later(const sail::Error& error) {
  unread_ = unposted_ = false;
  stale_ = true;
  mend(error);
}

void FilmIndex::mend(const sail::Error& error) {
  if (error.code == ErrorCode::kBadData && !std::exchange(mended_, true)) {
    catalogue_.reset();
    catalogue_ = Catalogue::recreate(file_, error, log_);
    stale_ = true;
    return;
  }
  if (std::exchange(said_, error.message) != error.message) log_.warning("{}", error.message);
}

}  // namespace server
