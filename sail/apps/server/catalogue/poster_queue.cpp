#include "sail/apps/server/catalogue/poster_queue.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Result;

constexpr int64_t kRestOfPosters = 5;  // times a poster's duration, so that films are probed first
constexpr int64_t kPosterAgainNs = sail::kSecondNs;  // pause after a failed start
constexpr size_t kMostAsked = 32;

}  // namespace

int64_t PosterQueue::next_ns() const {
  if (job_) return INT64_MAX;
  if (!asked_.empty()) return 0;
  return index_.unposted() ? rest_ns_ : INT64_MAX;
}

void PosterQueue::begin_next() {
  std::string title;
  if (asked_.empty()) {
    title = index_.next_unposted();
  } else {
    title = std::move(asked_.front());
    asked_.pop_front();
  }
  if (!title.empty()) begin(title);
}

void PosterQueue::begin(const std::string& title) {
  job_ = PosterJob{.title = title, .begun_ns = sail::steady_now_ns()};
  const auto path = library_.find(title);
  if (!path) return keep(path.error());
  job_->path = *path;
  if (is_placed(*path)) {
    auto bytes = open_bytes_(*path);
    auto feed = bytes ? sail::ByteFeed::start(std::move(*bytes)) : std::move(bytes.error());
    if (!feed) {
      const auto code = sail::has_descriptor_headroom() ? ErrorCode::kIo : ErrorCode::kLimit;
      return keep(sail::fail(code, feed.error().message));
    }
    job_->feed = std::move(*feed);
  }
  start_(*job_);
}

void PosterQueue::keep(const Result<std::string>& jpeg) {
  const PosterJob job = *std::exchange(job_, std::nullopt);
  const int64_t now_ns = sail::steady_now_ns();
  rest_ns_ = now_ns + kRestOfPosters * (now_ns - job.begun_ns);
  if (!jpeg && jpeg.error().code == ErrorCode::kLimit) {
    rest_ns_ = std::max(rest_ns_, now_ns + kPosterAgainNs);
    return index_.mend(sail::fail(ErrorCode::kUnavailable,
                                  fmt::format("posters are delayed: {}", jpeg.error().message)));
  }
  unable_ = !jpeg && jpeg.error().code == ErrorCode::kUnavailable;
  if (unable_) {
    asked_.clear();
    index_.skip_posters();
    return index_.mend(sail::fail(ErrorCode::kUnavailable,
                                  fmt::format("cannot create posters: {}", jpeg.error().message)));
  }
  index_.keep_poster(job.title, job.path, jpeg);
}

Result<std::string> PosterQueue::poster(const std::string& title) {
  if (auto entry = index_.known(title); !entry) return std::move(entry.error());
  const auto kept = index_.poster(title);
  if (!kept) return kept.error();
  if (*kept && !(*kept)->empty()) return **kept;
  if (*kept) return sail::fail(ErrorCode::kNotFound, title + ": no poster could be created");
  if (unable_)
    return sail::fail(ErrorCode::kNotFound, title + ": this server cannot create posters");
  if (!job_ || job_->title != title) {
    std::erase(asked_, title);
    asked_.push_front(title);
    if (asked_.size() > kMostAsked) asked_.pop_back();
  }
  return sail::fail(ErrorCode::kUnavailable,
                    title + ": the poster is not ready yet: try again later");
}

}  // namespace server
