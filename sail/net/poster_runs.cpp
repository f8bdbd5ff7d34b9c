#include "manager/poster_runs.h"

#include <csignal>
#include <utility>

namespace manager {

sail::Result<void> PosterRuns::start(const std::vector<std::string>& options,
                                     const std::string& path, size_t most_bytes, Done done) {
  std::vector<std::string> arguments{program_};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), {"--", path});
  const uint64_t number = next_++;
  auto process = sail::Process::spawn_for_output(
      loop_, arguments, {"VITRAIL_KEY", "VITRAIL_KEY_FILE"}, most_bytes,
      [this, number, done = std::move(done)](int64_t exit_status, int signal,
                                             std::string_view output) {
        // The process object holds this function: it must outlive the call.
        const auto ended = runs_.extract(number);
        done(exit_status == 0 && signal == 0 ? output : std::string_view());
      });
  if (!process) return process.error();
  Run& run = runs_.emplace(number, Run{std::move(*process), sail::Timer(loop_)}).first->second;
  run.patience.start(patience_ms_, 0, [process = run.process.get()] { process->signal(SIGKILL); });
  return {};
}

}  // namespace manager
