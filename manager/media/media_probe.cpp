#include "manager/media/media_probe.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace manager {
namespace {

constexpr size_t kLongestAnswer = 4096;

std::string key_of(const FileVersion& file) {
  return file.stamp + file.path;
}

MediaFacts facts_from(std::string_view output) {
  if (auto facts = parse_media_facts(output)) return std::move(*facts);
  MediaFacts none;
  none.unplayable = "reading the file takes too long or too much memory, or the file is damaged";
  return none;
}

}  // namespace

MediaProbe::MediaProbe(sail::Loop& loop, std::string program, const sail::Log& log)
    : loop_(loop), runs_(loop, std::move(program)), log_(log) {}

const MediaFacts* MediaProbe::known(const FileVersion& file) const {
  const auto found = known_.find(key_of(file));
  return found == known_.end() ? nullptr : &found->second;
}

std::shared_ptr<void> MediaProbe::inspect(const FileVersion& file, Turn turn,
                                          std::function<void()> done) {
  const auto waiting = std::make_shared<std::function<void()>>(std::move(done));
  const auto same = std::find_if(jobs_.begin(), jobs_.end(),
                                 [&file](const Job& job) { return job.file == file; });
  const bool full = turn == Turn::kLast && jobs_.size() >= kMostWaiting;
  if (known(file) != nullptr || unable_ || (same == jobs_.end() && full)) {
    notify({waiting});
    return waiting;
  }
  if (same != jobs_.end()) {
    same->waiting.push_back(waiting);
  } else if (turn == Turn::kNext) {
    jobs_.push_front({.file = file, .waiting = {waiting}});
  } else {
    jobs_.push_back({.file = file, .waiting = {waiting}});
  }
  start_next();
  return waiting;
}

void MediaProbe::moved(const FileVersion& from, const FileVersion& to) {
  const auto found = known_.find(key_of(from));
  if (found == known_.end()) return;
  MediaFacts facts = std::move(found->second);
  known_.erase(found);
  known_.insert_or_assign(key_of(to), std::move(facts));
}

void MediaProbe::keep_only(const std::vector<FileVersion>& files) {
  std::unordered_set<std::string> kept;
  for (const FileVersion& file : files) kept.insert(key_of(file));
  std::erase_if(known_, [&kept](const auto& entry) { return !kept.contains(entry.first); });
}

void MediaProbe::start_next() {
  while (!unable_ && std::ranges::count_if(jobs_, &Job::running) < int64_t{kMostAtOnce}) {
    const auto next = std::ranges::find_if(jobs_, [](const Job& job) { return !job.running; });
    if (next == jobs_.end()) return;
    next->running = true;
    const auto started =
        runs_.start({"--facts"}, {next->file.path}, kLongestAnswer,
                    [this, file = next->file](const auto& end, std::string_view output) {
                      known_.insert_or_assign(key_of(file), facts_from(end ? output : ""));
                      over(file);
                      start_next();
                    });
    if (started) continue;
    log_.warning("cannot read the properties of media files: {}", started.error().message);
    unable_ = started.error().code == sail::ErrorCode::kNotFound;
    over(FileVersion(next->file));
    if (!unable_) return;
  }
  while (unable_ && !jobs_.empty()) over(FileVersion(jobs_.front().file));
}

void MediaProbe::over(const FileVersion& file) {
  const auto job =
      std::ranges::find_if(jobs_, [&file](const Job& one) { return one.file == file; });
  if (job == jobs_.end()) return;
  notify(job->waiting);
  jobs_.erase(job);
}

void MediaProbe::notify(const std::vector<Waiting>& waiting) {
  loop_.post([waiting] {
    for (const Waiting& one : waiting) {
      if (const auto done = one.lock()) (*done)();
    }
  });
}

}  // namespace manager
