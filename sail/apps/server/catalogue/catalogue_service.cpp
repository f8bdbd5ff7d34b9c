#include "sail/apps/server/catalogue/catalogue_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "sail/core/base/headroom.h"
#include "sail/core/base/thread_name.h"
#include "sail/core/time/clock.h"
#include "sail/media/film/film_poster.h"
#include "sail/media/storage/reading/file.h"
#include "sail/media/storage/reading/read_speed.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Result;

constexpr size_t kMaxQuestions = 64;
// The inotify watches of a user are limited, and other programs need some, too.
constexpr size_t kMaxWatchedFolders = 2048;
// Minimum pause between listings, because a folder changes constantly while a film is being
// written.
constexpr int64_t kRestNs = 500 * sail::kMillisecondNs;
constexpr int64_t kRestOfListings = 10;
constexpr int64_t kMeasureNs = 500 * sail::kMillisecondNs;
constexpr size_t kTriedToMeasure = 8;  // films tried; the largest may be folders of pictures
constexpr int64_t kCheckAgainNs = 300 * sail::kSecondNs;
constexpr size_t kReadAtOnce = 64;  // films per probe; requests wait for the whole probe
constexpr int64_t kRestOfPosters =
    5;  // times a poster's duration; probing films comes before posters
constexpr int64_t kPosterAgainNs = sail::kSecondNs;  // pause after a failed start
constexpr size_t kMostAsked = 32;

}  // namespace

CatalogueService::CatalogueService(sail::Loop& loop, const Library& library,
                                   std::string catalogue_file, std::string poster_program,
                                   const sail::Log& log, OpenBytes open_bytes)
    : loop_(loop),
      library_(library),
      file_(std::move(catalogue_file)),
      log_(log),
      open_bytes_(std::move(open_bytes)),
      poster_runs_(loop, poster_program),
      probe_(library, std::move(poster_program), open_bytes_),
      questions_(kMaxQuestions),
      thread_([this] { run(); }) {}

CatalogueService::~CatalogueService() {
  ending_ = true;
  probe_.stop();
  questions_.push({});
  thread_.join();
}

// --- loop thread ---------------------------------------------------------------------------------

template <typename T>
void CatalogueService::put(std::function<Result<T>()> question, Answer<T> answer) {
  const auto ask = [this, question = std::move(question), answer] {
    auto found = std::make_shared<Result<T>>(question());
    loop_.post([answer, found] { answer(std::move(*found)); });
  };
  push({ask, [answer](const sail::Error& error) { answer(error); }});
}

void CatalogueService::push(Question question) {
  auto dropped = questions_.push(std::move(question));
  if (!dropped || !dropped->refuse) return;
  loop_.post([refuse = std::move(dropped->refuse)] {
    refuse(sail::fail(ErrorCode::kLimit, "too many title requests at once: try again later"));
  });
}

void CatalogueService::list(TitlesRequest request, Answer<Titles> answer) {
  put<Titles>([this, request = std::move(request)] { return query(request); }, std::move(answer));
}

void CatalogueService::find(std::string title, Answer<CatalogueEntry> answer) {
  put<CatalogueEntry>([this, title = std::move(title)] { return known(title); }, std::move(answer));
}

void CatalogueService::poster(std::string title, Answer<std::string> answer) {
  put<std::string>([this, title = std::move(title)] { return poster_of(title); },
                   std::move(answer));
}

void CatalogueService::set_tags(std::string title, std::vector<std::string> tags,
                                Answer<CatalogueEntry> answer) {
  put<CatalogueEntry>(
      [this, title = std::move(title), tags = std::move(tags)] { return tag(title, tags); },
      std::move(answer));
}

void CatalogueService::peak(bool anew, Answer<double> answer) {
  put<double>(
      [this, anew]() -> Result<double> {
        const auto known = anew ? Result<double>(0.0) : catalogue_->peak(library_.folder());
        return known && *known > 0 ? known : measure();
      },
      std::move(answer));
}

void CatalogueService::list_again() {
  if (!stale_.exchange(true)) push({});
}

void CatalogueService::watch(const std::vector<std::string>& folders) {
  const std::set<std::string> wanted(folders.begin(), folders.end());
  std::erase_if(watches_->folders, [&](const auto& one) { return !wanted.contains(one.first); });
  bool added = false;
  for (const std::string& folder : wanted) {
    if (watches_->folders.contains(folder)) continue;
    auto watch = watches_->folders.size() < kMaxWatchedFolders
                     ? sail::FolderWatch::start(loop_, folder,
                                                [this, folder](bool gone) {
                                                  if (gone) watches_->folders.erase(folder);
                                                  list_again();
                                                })
                     : sail::fail(ErrorCode::kLimit, "too many folders");
    if (watch) {
      watches_->folders.emplace(folder, std::move(*watch));
      added = true;
    } else if (!std::exchange(watches_->told, true)) {
      log_.warning("some folders are not watched ({}): changes there appear within {} min",
                   watch.error().message, kCheckAgainNs / sail::kSecondNs / 60);
    }
  }
  // Lists the folder again, for files that were added before the watch began.
  if (added) list_again();
}

void CatalogueService::start_poster(const Posting& posting) {
  std::vector<std::string> options;
  sail::ChildFiles files;
  if (posting.feed) {
    options.emplace_back("--fed");
    files.handed = posting.feed->socket();
  }
  const auto made = [this](sail::Result<std::string> jpeg) {
    made_.push(std::move(jpeg));
    push({});
  };
  const auto started = poster_runs_.start(
      options, {posting.feed ? "lors://" + posting.path : posting.path}, sail::kMaxPosterBytes,
      [made](const Result<void>& end, std::string_view jpeg) {
        made(end.map([jpeg] { return std::string(jpeg); }));
      },
      files);
  if (posting.feed) posting.feed->handed_over();
  if (started) return;
  const bool none = started.error().code == ErrorCode::kNotFound;
  made(sail::fail(none ? ErrorCode::kUnavailable : ErrorCode::kLimit, started.error().message));
}

// --- librarian thread ----------------------------------------------------------------------------

void CatalogueService::run() {
  sail::name_this_thread("librarian");
  catalogue_ = Catalogue::open_or_begin(file_, log_);
  while (!ending_) {
    const int64_t idle = idle_ns();
    const auto question = questions_.pop(std::chrono::nanoseconds(idle));
    if (ending_) return;
    if (const auto made = made_.pop()) keep_poster(*made);
    if (question && question->ask) {
      if (stale_) follow();
      question->ask();
    } else if (!question && unread_) {
      read_next();
    } else if (!question && poster_is_due()) {
      begin_next_poster();
    } else if (!question) {
      follow();
    }
  }
}

bool CatalogueService::poster_is_due() const {
  if (posting_) return false;
  return !asked_.empty() || (unposted_ && sail::steady_now_ns() >= poster_rest_ns_);
}

// Time until there is work to do without a request.
int64_t CatalogueService::idle_ns() const {
  if (unread_ || listed_ns_ == 0 || (!posting_ && !asked_.empty())) return 0;
  const int64_t rest = stale_ ? std::max(kRestNs, kRestOfListings * listing_ns_) : kCheckAgainNs;
  const int64_t listing_ns = listed_ns_ + rest;
  const int64_t next_ns =
      unposted_ && !posting_ ? std::min(listing_ns, poster_rest_ns_) : listing_ns;
  return std::max<int64_t>(next_ns - sail::steady_now_ns(), 0);
}

void CatalogueService::follow() {
  const int64_t begun_ns = sail::steady_now_ns();
  stale_ = false;
  auto listing =
      std::make_shared<Library::Listing>(library_.list([this] { return ending_.load(); }));
  if (ending_) return;
  if (auto followed = catalogue_->follow(*listing); !followed) mend_later(followed.error());
  for (const std::string& title : std::exchange(away_, {})) {
    if (auto doubted = catalogue_->doubt(title); !doubted) mend_later(doubted.error());
  }
  listed_ns_ = sail::steady_now_ns();
  listing_ns_ = listed_ns_ - begun_ns;
  unread_ = true;
  unposted_ = true;
  if (!listing->whole) {
    mend(sail::fail(ErrorCode::kLimit,
                    fmt::format("{} contains more than {} films: the rest is left out",
                                library_.folder(), Library::kMaxTitles)));
  }
  loop_.post([this, listing, alive = std::weak_ptr(watches_)] {
    if (!alive.expired()) watch(listing->folders);
  });
}

void CatalogueService::read_next() {
  const auto next = catalogue_->next_unread(kReadAtOnce);
  unread_ = next && !next->empty();
  if (!next) return mend(next.error());
  if (unread_) read(*next);
}

std::map<std::string, FilmFacts> CatalogueService::read(const std::vector<std::string>& titles) {
  std::map<std::string, FilmFacts> films;
  const auto looked =
      probe_.inspect(titles, [&](const std::string& title, Result<FilmFacts> facts) {
        std::optional<FilmFacts> known;
        if (facts) known = films[title] = std::move(*facts);
        learn(title, known);
      });
  if (looked || ending_) return films;
  const sail::Error error{ErrorCode::kUnavailable,
                          fmt::format("some films were not probed: {}", looked.error().message)};
  unread_ = false;
  looked.error().code == ErrorCode::kIo ? mend_later(error) : mend(error);
  return films;
}

// Probes those entries that have not been probed.
void CatalogueService::read_those(std::span<CatalogueEntry> entries) {
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

// facts empty: not a film.
void CatalogueService::learn(const std::string& title, const std::optional<FilmFacts>& facts) {
  const bool known = facts && facts->unreadable.empty();
  if (facts && !known) log_.warning("cannot probe {}: {}", title, facts->unreadable);
  const auto path = library_.find(title);
  if (!known && path && is_placed(*path)) away_.insert(title);
  if (auto learnt = catalogue_->learn(title, facts); !learnt) mend_later(learnt.error());
}

// --- posters

void CatalogueService::begin_next_poster() {
  if (!asked_.empty()) {
    const std::string title = std::move(asked_.front());
    asked_.pop_front();
    return begin_poster_of(title);
  }
  const auto next = catalogue_->next_unposted();
  unposted_ = next && !next->empty();
  if (!next) return mend(next.error());
  if (unposted_) begin_poster_of(*next);
}

void CatalogueService::begin_poster_of(const std::string& title) {
  posting_ = Posting{.title = title, .path = {}, .begun_ns = sail::steady_now_ns()};
  const auto path = library_.find(title);
  if (!path) return keep_poster(path.error());
  posting_->path = *path;
  if (is_placed(*path)) {
    auto bytes = open_bytes_(*path);
    auto feed = bytes ? sail::ByteFeed::start(std::move(*bytes)) : std::move(bytes.error());
    if (!feed) {
      const auto code = sail::has_descriptor_headroom() ? ErrorCode::kIo : ErrorCode::kLimit;
      return keep_poster(sail::fail(code, feed.error().message));
    }
    posting_->feed = std::move(*feed);
  }
  loop_.post([this, posting = *posting_, alive = std::weak_ptr(watches_)] {
    if (!alive.expired()) start_poster(posting);
  });
}

// Stores the poster, or the failure: a film without a poster is not tried again until it changes.
// kUnavailable: posters cannot be made here. kLimit: too few descriptors or processes now; retried
// later.
void CatalogueService::keep_poster(const Result<std::string>& jpeg) {
  const Posting posting = *std::exchange(posting_, std::nullopt);
  const int64_t now_ns = sail::steady_now_ns();
  poster_rest_ns_ = now_ns + kRestOfPosters * (now_ns - posting.begun_ns);
  if (!jpeg && jpeg.error().code == ErrorCode::kLimit) {
    poster_rest_ns_ = std::max(poster_rest_ns_, now_ns + kPosterAgainNs);
    return mend(sail::fail(ErrorCode::kUnavailable,
                           fmt::format("posters are delayed: {}", jpeg.error().message)));
  }
  unable_ = !jpeg && jpeg.error().code == ErrorCode::kUnavailable;
  if (unable_) {
    asked_.clear();
    unposted_ = false;
    return mend(sail::fail(ErrorCode::kUnavailable,
                           fmt::format("cannot create posters: {}", jpeg.error().message)));
  }
  if (!jpeg && !posting.path.empty()) {
    log_.warning("cannot create a poster of {}: {}", posting.title, jpeg.error().message);
  }
  if (!jpeg && is_placed(posting.path)) away_.insert(posting.title);
  if (auto kept = catalogue_->keep_poster(posting.title, jpeg.value_or("")); !kept) {
    mend_later(kept.error());
  }
}

Result<std::string> CatalogueService::poster_of(const std::string& title) {
  if (auto entry = known(title); !entry) return std::move(entry.error());
  const auto kept = catalogue_->poster(title);
  if (!kept) {
    mend(kept.error());
    return kept.error();
  }
  if (*kept && !(*kept)->empty()) return **kept;
  if (*kept) return sail::fail(ErrorCode::kNotFound, title + ": no poster could be created");
  if (unable_)
    return sail::fail(ErrorCode::kNotFound, title + ": this server cannot create posters");
  if (!posting_ || posting_->title != title) {
    std::erase(asked_, title);
    asked_.push_front(title);
    if (asked_.size() > kMostAsked) asked_.pop_back();
  }
  return sail::fail(ErrorCode::kUnavailable,
                    title + ": the poster is not ready yet: try again later");
}

// --- queries

Result<Titles> CatalogueService::query(TitlesRequest request) {
  Titles found;
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
      found.more = found.entries.size() == kMaxTitlesAnswered;
      if (found.more) return found;
      found.entries.push_back(std::move(entry));
    }
    if (some->size() <= kMaxTitlesAnswered) break;
  }
  return found;
}

Result<CatalogueEntry> CatalogueService::known(const std::string& title) {
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

Result<CatalogueEntry> CatalogueService::tag(const std::string& title,
                                             const std::vector<std::string>& tags) {
  if (auto entry = known(title); !entry) return entry;
  if (auto set = catalogue_->set_tags(title, tags); !set) return std::move(set.error());
  return known(title);
}

// Measures with the block size and number of reads that players use.
Result<double> CatalogueService::measure() {
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

// Reports the error and retries with the next listing, for example after a full disk or a lack of
// descriptors.
void CatalogueService::mend_later(const sail::Error& error) {
  unread_ = unposted_ = false;
  stale_ = true;
  mend(error);
}

void CatalogueService::mend(const sail::Error& error) {
  if (error.code == ErrorCode::kBadData && !std::exchange(mended_, true)) {
    catalogue_.reset();
    catalogue_ = Catalogue::begin_anew(file_, error, log_);
    stale_ = true;
    return;
  }
  if (std::exchange(said_, error.message) != error.message) log_.warning("{}", error.message);
}

}  // namespace server
