// A live source that is reopened, with growing pauses, when it ends, fails or falls silent. next()
// then waits until pictures arrive again or `interrupted` returns true. One thread at a time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/base/log.h"
#include "sail/media/source/source.h"

namespace sail {

class LiveSource : public Source {
 public:
  using Open = std::function<Result<std::unique_ptr<Source>>()>;
  struct Options {
    std::string name{};  // for the log
    std::chrono::milliseconds first_pause{250};
    std::chrono::milliseconds longest_pause{8000};
    std::function<bool()> interrupted{};  // true: stop waiting; empty: never
    const Log* log = nullptr;             // receives every attempt; must outlive the source
  };
  // Returns the source itself if it is not a live source to be reopened. patient: waits for a
  // source that is not available yet.
  static Result<std::unique_ptr<Source>> open(Open open, Options options, bool patient);

  const SourceInfo& info() const override { return info_; }
  // Empty optional: interrupted, or the source has become a film with an end.
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;
  Result<void> choose_subtitles(const SubtitleChoice& choice) override;

 private:
  LiveSource(Open open, Options options);
  // False: interrupted, or no longer live.
  bool open_again();
  bool wait_until(std::chrono::steady_clock::time_point instant) const;
  bool interrupted() const { return options_.interrupted && options_.interrupted(); }
  void note(LogLevel level, const std::string& sentence) const;

  const Open open_;
  const Options options_;
  SourceInfo info_;
  std::unique_ptr<Source> source_;           // null while the source is away
  std::optional<SubtitleChoice> subtitles_;  // chosen since the first opening
  std::chrono::milliseconds pause_;
  std::chrono::steady_clock::time_point tried_at_;
};

}  // namespace sail
