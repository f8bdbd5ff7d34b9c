#include "sail/apps/server/catalogue/catalogue_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"
#include "sail/media/film/film_poster.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Result;

constexpr size_t kMaxQuestions = 64;

}  // namespace

CatalogueService::CatalogueService(sail::Loop& loop, const Library& library,
                                   std::string catalogue_file, std::string poster_program,
                                   const sail::Log& log, OpenBytes open_bytes)
    : loop_(loop),
      watches_(std::make_shared<FolderWatches>(loop, log, [this] { list_again(); })),
      poster_runs_(loop, poster_program),
      index_(library, std::move(catalogue_file), std::move(poster_program), open_bytes, log),
      posters_(index_, library, std::move(open_bytes),
               [this](const PosterJob& job) {
                 loop_.post([this, job, alive = std::weak_ptr(watches_)] {
                   if (!alive.expired()) start_poster(job);
                 });
               }),
      questions_(kMaxQuestions),
      thread_([this] { run(); }) {}

CatalogueService::~CatalogueService() {
  ending_ = true;
  index_.stop();
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
  put<Titles>([this, request = std::move(request)] { return index_.query(request); },
              std::move(answer));
}

void CatalogueService::find(std::string title, Answer<CatalogueEntry> answer) {
  put<CatalogueEntry>([this, title = std::move(title)] { return index_.known(title); },
                      std::move(answer));
}

void CatalogueService::poster(std::string title, Answer<std::string> answer) {
  put<std::string>([this, title = std::move(title)] { return posters_.poster(title); },
                   std::move(answer));
}

void CatalogueService::set_tags(std::string title, std::vector<std::string> tags,
                                Answer<CatalogueEntry> answer) {
  put<CatalogueEntry>(
      [this, title = std::move(title), tags = std::move(tags)] { return index_.tag(title, tags); },
      std::move(answer));
}

void CatalogueService::peak(bool anew, Answer<double> answer) {
  put<double>([this, anew] { return index_.peak(anew); }, std::move(answer));
}

void CatalogueService::list_again() {
  if (index_.note_change()) push({});
}

void CatalogueService::start_poster(const PosterJob& job) {
  std::vector<std::string> options;
  sail::ChildFiles files;
  if (job.feed) {
    options.emplace_back("--fed");
    files.handed = job.feed->socket();
  }
  const auto made = [this](sail::Result<std::string> jpeg) {
    made_.push(std::move(jpeg));
    push({});
  };
  const auto started = poster_runs_.start(
      options, {job.feed ? "lors://" + job.path : job.path}, sail::kMaxPosterBytes,
      [made](const Result<void>& end, std::string_view jpeg) {
        made(end.map([jpeg] { return std::string(jpeg); }));
      },
      files);
  if (job.feed) job.feed->handed_over();
  if (started) return;
  const bool none = started.error().code == ErrorCode::kNotFound;
  made(sail::fail(none ? ErrorCode::kUnavailable : ErrorCode::kLimit, started.error().message));
}

// --- librarian thread ----------------------------------------------------------------------------

void CatalogueService::run() {
  sail::name_this_thread("librarian");
  index_.open();
  while (!ending_) {
    // Time until there is work to do without a request.
    const int64_t idle_ns = std::min(index_.next_ns(), posters_.next_ns()) - sail::steady_now_ns();
    const auto question = questions_.pop(std::chrono::nanoseconds(std::max<int64_t>(idle_ns, 0)));
    if (ending_) return;
    if (const auto made = made_.pop()) posters_.keep(*made);
    if (question && question->ask) {
      if (index_.stale()) follow();
      question->ask();
    } else if (!question && index_.unread()) {
      index_.read_next();
    } else if (!question && posters_.next_ns() <= sail::steady_now_ns()) {
      posters_.begin_next();
    } else if (!question) {
      follow();
    }
  }
}

void CatalogueService::follow() {
  const auto folders = index_.follow();
  if (!folders) return;
  loop_.post([folders, alive = std::weak_ptr(watches_)] {
    if (const auto watches = alive.lock()) watches->watch(*folders);
  });
}

}  // namespace server
