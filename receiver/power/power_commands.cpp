// Runs the commands of a display. They end with this process, or when their time is over.
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "receiver/power/power_runs.h"
#include "sail/core/process/process.h"

namespace receiver {
namespace {

using sail::ErrorCode;
using sail::PowerOrder;
using sail::PowerState;

constexpr size_t kMostOutputBytes = 1 << 16;

// Passes the end of this process on to all programs of the command, and kills those that ignore it.
std::vector<std::string> bounded(const std::vector<std::string>& words) {
  constexpr int64_t kLongestS = sail::kPowerTimeoutMs / 1000 + 1;
  std::vector<std::string> all = {"setpriv", "--pdeathsig",   "TERM",
                                  "timeout", "--signal=KILL", std::to_string(kLongestS)};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

bool is_word_letter(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '_';
}

class CommandRun {
 public:
  CommandRun(sail::Loop& loop, sail::PowerControl control, PowerDone done)
      : loop_(loop), control_(std::move(control)), done_(std::move(done)), later_(loop) {}
  ~CommandRun() {
    if (process_) process_->signal(SIGKILL);
  }
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  void begin(PowerOrder order) {
    if (order == PowerOrder::kStatus) return ask_state();
    start(order == PowerOrder::kOn ? control_.on : control_.off,
          [this](std::string_view) { ask_state(); });
  }

 private:
  // May destroy this.
  void finish(const sail::Result<PowerState>& result) {
    const PowerDone done = std::exchange(done_, nullptr);
    done(result);
  }
  void ask_state() {
    start(control_.status, [this](std::string_view output) {
      const bool on = contains_word(output, control_.status_on);
      finish(on ? PowerState::kOn : PowerState::kOff);
    });
  }
  void start(const std::vector<std::string>& words,
             std::function<void(std::string_view output)> next) {
    // The command must not get the wall's key.
    auto started = sail::Process::spawn_for_output(
        loop_, bounded(words), {"VITRAIL_KEY"}, kMostOutputBytes,
        [this, words, next = std::move(next)](int64_t status, int signal, std::string_view output) {
          if (status == 0 && signal == 0) return next(output);
          finish(failure(words, status, signal, output.size() > kMostOutputBytes));
        },
        {.own_group = true});
    if (started) {
      process_ = *std::move(started);
    } else {
      later_.start(0, 0, [this, error = started.error()] { finish(error); });
    }
  }
  static sail::Error failure(const std::vector<std::string>& words, int64_t status, int signal,
                             bool too_much) {
    constexpr int64_t kNotStarted = 126;  // exit status of shells; 127: there is no such program
    const std::string how =
        too_much      ? fmt::format("was ended: it wrote more than {} KiB", kMostOutputBytes / 1024)
        : signal != 0 ? fmt::format("was ended by signal {}", signal)
        : status == kNotStarted || status == kNotStarted + 1
            ? fmt::format("cannot be started (exit status {}): is the program installed?", status)
            : fmt::format("failed with exit status {}", status);
    return sail::fail(ErrorCode::kIo, fmt::format("`{}` {}", fmt::join(words, " "), how));
  }

  sail::Loop& loop_;
  const sail::PowerControl control_;
  PowerDone done_;
  sail::Timer later_;
  std::unique_ptr<sail::Process> process_;
};

}  // namespace

bool contains_word(std::string_view text, std::string_view word) {
  const auto joins = [](char a, char b) { return is_word_letter(a) && is_word_letter(b); };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || !joins(text[at - 1], word.front());
    const bool ends = end == text.size() || !joins(word.back(), text[end]);
    if (begins && ends) return true;
  }
  return false;
}

std::shared_ptr<void> run_power_commands(sail::Loop& loop, const sail::PowerControl& control,
                                         PowerOrder order, PowerDone done) {
  auto run = std::make_shared<CommandRun>(loop, control, std::move(done));
  run->begin(order);
  return run;
}

}  // namespace receiver
