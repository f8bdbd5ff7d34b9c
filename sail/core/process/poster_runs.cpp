#include "sail/core/process/poster_runs.h"

#include <fmt/core.h>

#include <csignal>
#include <utility>

namespace sail {
namespace {

Result<void> end_of(bool late, int64_t exit_status, int signal) {
  if (exit_status == 0 && signal == 0) return {};
  if (late) return fail(ErrorCode::kTimeout, "vitrail-poster timed out");
  if (signal != 0) {
    return fail(ErrorCode::kInternal,
                fmt::format("vitrail-poster was killed by signal {}", signal));
  }
  return fail(ErrorCode::kBadData,
              fmt::format("vitrail-poster exited with status {}", exit_status));
}

}  // namespace

Result<void> PosterRuns::start(const std::vector<std::string>& options,
                               const std::vector<std::string>& paths, size_t most_bytes, Done done,
                               const ChildFiles& files) {
  std::vector<std::string> arguments{program_};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  const uint64_t number = next_++;
  auto process = Process::spawn_for_output(
      loop_, arguments, {"VITRAIL_KEY", "VITRAIL_KEY_FILE"}, most_bytes,
      [this, number, done = std::move(done)](int64_t exit_status, int signal,
                                             std::string_view output) {
        // The process object owns this function, so it must outlive the call.
        const auto ended = runs_.extract(number);
        done(end_of(ended.mapped().late, exit_status, signal), output);
      },
      files);
  if (!process) return process.error();
  Run& run = runs_.emplace(number, Run{std::move(*process), Timer(loop_)}).first->second;
  run.timeout.start(wait_timeout_ms_, 0, [&run] {
    run.late = true;
    run.process->signal(SIGKILL);
  });
  return {};
}

}  // namespace sail
