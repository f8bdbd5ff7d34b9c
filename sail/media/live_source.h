// A live source that is opened again, with growing pauses, whenever it ends, fails or falls silent:
// next() then waits until pictures come again, or until nobody wants them any more. One thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/base/log.h"
#include "sail/media/source.h"

namespace sail {

class LiveSource : public Source {
 public:
  using Open = std::function<Result<std::unique_ptr<Source>>()>;
  struct Options {
    std::chrono::milliseconds first_pause{250};
    std::chrono::milliseconds longest_pause{8000};
    std::function<bool()> interrupted{};  // nobody wants pictures any more; empty: somebody does
    const Log* log = nullptr;             // hears of each attempt; outlives the source
  };
  // The source itself where it is none that is to be opened again. patient: one that is not there
  // yet is waited for.
  static Result<std::unique_ptr<Source>> open(Open open, Options options, bool patient);

  const SourceInfo& info() const override { return info_; }
  // Nothing: nobody wants any more, or it is not live any more but a film with an end.
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;

 private:
  LiveSource(Open open, Options options);
  // False: there is nothing more to come.
  bool open_again();
  bool wait_until(std::chrono::steady_clock::time_point instant) const;
  bool interrupted() const { return options_.interrupted && options_.interrupted(); }
  void note(LogLevel level, const std::string& sentence) const;

  const Open open_;
  const Options options_;
  SourceInfo info_;
  std::unique_ptr<Source> source_;
  std::chrono::milliseconds pause_;
  std::chrono::steady_clock::time_point tried_at_;
};

}  // namespace sail
