#include "manager/media/previews.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "sail/core/loop/loop.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr size_t kEntryBytes = 256;  // Approximate overhead of both containers.

}  // namespace

size_t PreviewCache::bytes_of(const Entry& entry) {
  return 2 * entry.key.size() + entry.preview->size() + kEntryBytes;
}

Preview PreviewCache::find(const std::string& key, int64_t now_ns) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  if (const Entry& entry = *found->second;
      entry.preview->empty() && now_ns - entry.kept_ns > kEmptyNs) {
    remove(found->second);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->preview;
}

void PreviewCache::keep(const std::string& key, Preview preview, int64_t now_ns) {
  if (const auto before = by_key_.find(key); before != by_key_.end()) remove(before->second);
  entries_.push_front({key, std::move(preview), now_ns});
  by_key_[key] = entries_.begin();
  bytes_ += bytes_of(entries_.front());
  while (bytes_ > most_bytes_) remove(std::prev(entries_.end()));
}

void PreviewCache::remove(std::list<Entry>::iterator entry) {
  bytes_ -= bytes_of(*entry);
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

size_t PreviewQueue::running() const {
  return static_cast<size_t>(
      std::count_if(wanted_.begin(), wanted_.end(), [](const Wanted& one) { return one.running; }));
}

bool PreviewQueue::add(uint64_t request, const Job& job) {
  const auto same = std::find_if(wanted_.begin(), wanted_.end(),
                                 [&job](const Wanted& one) { return one.job.key == job.key; });
  if (same != wanted_.end()) {
    same->requests.push_back(request);
    return true;
  }
  if (wanted_.size() - running() >= kMostWaiting) return false;
  wanted_.push_back({.job = job, .requests = {request}});
  return true;
}

void PreviewQueue::leave(uint64_t request) {
  for (Wanted& one : wanted_) std::erase(one.requests, request);
  std::erase_if(wanted_, [](const Wanted& one) { return one.requests.empty() && !one.running; });
}

std::optional<PreviewQueue::Job> PreviewQueue::take() {
  if (running() >= kMostAtOnce) return std::nullopt;
  const auto next =
      std::find_if(wanted_.begin(), wanted_.end(), [](const Wanted& one) { return !one.running; });
  if (next == wanted_.end()) return std::nullopt;
  next->running = true;
  return next->job;
}

std::vector<uint64_t> PreviewQueue::done(const std::string& key) {
  const auto over = std::find_if(wanted_.begin(), wanted_.end(),
                                 [&key](const Wanted& one) { return one.job.key == key; });
  if (over == wanted_.end()) return {};
  std::vector<uint64_t> requests = std::move(over->requests);
  wanted_.erase(over);
  return requests;
}

namespace {

constexpr size_t kLargestPreview = 512 << 10;  // Bytes.
constexpr std::string_view kJpegStart = "\xff\xd8\xff";

// Empty: anything but a whole number from 1 to `most`.
std::optional<int64_t> number_of(const std::optional<std::string>& text, int64_t most) {
  if (!text) return std::nullopt;
  int64_t number = 0;
  const char* end = text->data() + text->size();
  const auto [parsed, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc() || parsed != end || number < 1 || number > most) return std::nullopt;
  return number;
}

// 204: the file exists, but has no preview. The request was correct.
sail::WebAnswer none_answer() {
  return {204, {}, {}};
}

}  // namespace

struct Previews::Request {
  std::shared_ptr<sail::WebExchange> exchange;
  std::string known;               // If-None-Match
  std::string stamp;               // Stamp of the file, once checked.
  std::shared_ptr<void> checking;  // Running check of the file.
  int page = 1;
};

Previews::Previews(sail::Loop& loop, Options options, SourceLibrary& sources, const sail::Log& log)
    : loop_(loop),
      options_(std::move(options)),
      sources_(sources),
      log_(log),
      cache_(options_.most_bytes),
      runs_(loop, options_.program) {}

Previews::~Previews() = default;

void Previews::handle(const std::shared_ptr<sail::WebExchange>& exchange) {
  if (exchange->method() != "GET" && exchange->method() != "HEAD") {
    sail::WebAnswer refused = sail::text_answer(405, "a preview can only be read: use GET or HEAD");
    refused.headers.emplace_back("Allow", "GET, HEAD");
    exchange->answer(std::move(refused));
    return;
  }
  const auto source = exchange->query("source");
  const auto window = number_of(exchange->query("window"), std::numeric_limits<uint32_t>::max());
  const auto page = number_of(exchange->query("page").value_or("1"), sail::kMaxPages);
  if ((!window && (!source || source->empty())) || !page) {
    exchange->answer(sail::text_answer(
        400, "use /preview?source=ID with an id from `sources`, or /preview?window=N&page=P"));
    return;
  }
  const uint64_t request = next_request_++;
  requests_[request] = {.exchange = exchange,
                        .known = exchange->header("if-none-match").value_or(""),
                        .stamp = {},
                        .checking = {},
                        .page = static_cast<int>(*page)};
  // A page that no longer shows the preview cancels the request.
  exchange->read_body({.on_bytes = {}, .on_end = {}, .on_gone = [this, request] {
                         queue_.leave(request);
                         requests_.erase(request);
                       }});
  if (!window) {
    sources_.refresh([this, request, source = *source] { check_source(request, source); });
  } else if (const std::string path = options_.file_of(static_cast<uint32_t>(*window));
             !path.empty()) {
    check_file(request, path);
  } else {
    answer(request, sail::text_answer(404, "no such window shows a file of the manager's host"));
  }
}

// The id is only a key: only files in the list are opened.
void Previews::check_source(uint64_t request, const std::string& source) {
  if (!requests_.contains(request)) return;
  const Source* found = sources_.find(source);
  if (found == nullptr || found->kind != SourceKind::kFile) {
    answer(request, sail::text_answer(404, "there is no file source with this id"));
    return;
  }
  check_file(request, found->media);
}

void Previews::check_file(uint64_t request, const std::string& path) {
  const auto stamp = std::make_shared<std::string>();
  requests_.at(request).checking = sail::in_background(
      loop_, [stamp, path] { *stamp = file_stamp(path); },
      [this, request, stamp, path] { file_checked(request, path, *stamp); });
}

void Previews::file_checked(uint64_t request, const std::string& path, const std::string& stamp) {
  Request& asked = requests_.at(request);
  asked.stamp = stamp;
  if (stamp.empty()) {
    answer(request, none_answer());
  } else if (asked.known == fmt::format("\"{}\"", stamp)) {
    answer(request, sail::WebAnswer{304, {}, {}});
  } else if (const PreviewQueue::Job job{.key = fmt::format("{} {} {}", stamp, asked.page, path),
                                         .path = path,
                                         .page = asked.page};
             const Preview kept = cache_.find(job.key, sail::steady_now_ns())) {
    answer(request, kept);
  } else if (queue_.add(request, job)) {
    start_next();
  } else {
    sail::WebAnswer later = sail::text_answer(503, "too many previews are in progress: try again");
    later.headers.emplace_back("Retry-After", "2");
    answer(request, std::move(later));
  }
}

void Previews::start_next() {
  while (const auto job = queue_.take()) {
    if (const auto started = start(*job); !started) {
      log_.warning("cannot create previews: {}", started.error().message);
      finished(job->key, std::make_shared<const std::string>());
    }
  }
}

sail::Result<void> Previews::start(const PreviewQueue::Job& job) {
  const auto done = [this, key = job.key](const sail::Result<void>& end, std::string_view output) {
    const bool good = end && output.starts_with(kJpegStart);
    const auto preview = std::make_shared<const std::string>(good ? output : "");
    cache_.keep(key, preview, sail::steady_now_ns());
    finished(key, preview);
    start_next();
  };
  std::vector<std::string> options;
  if (job.page != 1) options = {"--page", std::to_string(job.page)};
  return runs_.start(options, {job.path}, kLargestPreview, done);
}

void Previews::finished(const std::string& key, const Preview& preview) {
  for (const uint64_t request : queue_.done(key)) answer(request, preview);
}

void Previews::answer(uint64_t request, const Preview& preview) {
  answer(request, preview->empty()
                      ? none_answer()
                      : sail::WebAnswer{200, {{"Content-Type", "image/jpeg"}}, *preview});
}

void Previews::answer(uint64_t request, sail::WebAnswer answer) {
  const auto over = requests_.extract(request);
  if (over.empty()) return;
  if (answer.status == 200 || answer.status == 304) {
    answer.headers.emplace_back("ETag", fmt::format("\"{}\"", over.mapped().stamp));
    answer.headers.emplace_back("Cache-Control", "private, no-cache");
  }
  over.mapped().exchange->answer(std::move(answer));
}

}  // namespace manager
