// Who keeps the system clock. The kernel's flag alone says too little: chronyd sets it only with
// `rtcsync`, and ptp4l sets it even if it has no master.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"
#include "ui/doctor/checks.h"

namespace ui {
namespace {

namespace fs = std::filesystem;
using Severity = Finding::Severity;

constexpr size_t kMostAnswerBytes = size_t{16} << 10;
constexpr int64_t kAnswerTimeoutMs = 2000;

// Returns the program's output; empty: it is not installed, fails, or does not answer in time.
std::string answer_of(const std::vector<std::string>& command) {
  sail::Loop loop;
  std::string answer;
  const auto process = sail::Process::spawn_for_output(
      loop, command, {"LC_ALL=C"}, kMostAnswerBytes,
      [&](int64_t exit_status, int signal, std::string_view output) {
        if (exit_status == 0 && signal == 0) answer = output;
        loop.stop();
      });
  if (!process) return "";
  sail::Timer timeout(loop);
  timeout.start(kAnswerTimeoutMs, 0, [&] { loop.stop(); });
  loop.run();
  return answer;
}

// Returns the running daemon that sets the system clock; empty: no known one.
std::string clock_daemon(const fs::path& root) {
  constexpr std::array<std::string_view, 6> kDaemons = {"chronyd", "ntpd",    "systemd-timesyn",
                                                        "ptp4l",   "phc2sys", "openntpd"};
  std::error_code error;
  for (const auto& process : fs::directory_iterator(root / "proc", error)) {
    std::string name;
    std::getline(std::ifstream(process.path() / "comm"), name);
    if (std::ranges::find(kDaemons, name) != kDaemons.end()) return name;
  }
  return "";
}

// --- chronyd

struct ChronyTracking {
  bool synchronised = false;
  double error_ms = 0;
};

// The fields of `chronyc -c tracking`: offset (s) is the fifth, root delay and root dispersion (s)
// are the 11th and 12th, and the last one is the leap status.
std::optional<ChronyTracking> chrony_tracking(const std::string& answer) {
  constexpr size_t kFields = 14;
  std::vector<std::string> fields;
  std::istringstream line(answer.substr(0, answer.find('\n')));
  for (std::string field; std::getline(line, field, ',');) fields.push_back(field);
  if (fields.size() != kFields) return std::nullopt;
  const auto seconds = [&](size_t field) { return std::strtod(fields[field].c_str(), nullptr); };
  const double error_ms = 1e3 * (std::abs(seconds(4)) + seconds(10) / 2 + seconds(11));
  if (!std::isfinite(error_ms)) return std::nullopt;
  return ChronyTracking{.synchronised = fields.back() != "Not synchronised", .error_ms = error_ms};
}

void add_chrony(const ChronyTracking& tracking, bool kernel_knows, Finding& finding) {
  if (!tracking.synchronised) {
    finding.severity = Severity::kBad;
    finding.what = "chronyd runs, but has no time source that it can use";
    finding.advice = "`chronyc sources` shows its sources; add one to /etc/chrony/chrony.conf";
  } else if (!kernel_knows) {
    finding.severity = Severity::kBad;
    finding.what =
        fmt::format("chronyd keeps the system clock within {:.3f} ms, but does not tell the kernel",
                    tracking.error_ms);
    finding.advice = "add the line `rtcsync` to /etc/chrony/chrony.conf and restart chronyd";
  }
}

// --- ptp4l

// The states of ptp4l's ports, from `pmc 'GET PORT_DATA_SET'`.
std::vector<std::string> ptp_states(const std::string& answer) {
  std::vector<std::string> states;
  std::istringstream words(answer);
  for (std::string word; words >> word;) {
    if (word == "portState" && words >> word) states.push_back(word);
  }
  return states;
}

void add_ptp(const std::vector<std::string>& states, Finding& finding) {
  if (states.empty()) return;
  const auto any = [&](const char* state) { return std::ranges::count(states, state) > 0; };
  if (any("SLAVE") || any("MASTER") || any("GRAND_MASTER")) {
    finding.what += any("SLAVE") ? "; ptp4l follows a master" : "; ptp4l is the master";
    return;
  }
  finding.severity = Severity::kBad;
  finding.what = fmt::format("ptp4l runs, but follows no master: its port is {}", states.front());
  finding.advice =
      "check that a PTP master is in the same domain and network (`pmc -u 'GET PARENT_DATA_SET'`)";
}

// --------------------------------------------------------------------------------------------

Finding by_kernel(const std::string& daemon, const sail::SystemClockReading& reading) {
  if (reading.synchronised) {
    return {.about = "clock",
            .what = fmt::format("set by {}, accurate to {:.3f} ms",
                                daemon.empty() ? "an unknown daemon" : daemon,
                                static_cast<double>(reading.max_error_ns) / 1e6)};
  }
  if (daemon.empty()) {
    return {.severity = Severity::kBad,
            .about = "clock",
            .what = "the system clock is not synchronised: no known time daemon runs",
            .advice = "the wall uses the system clock: run chrony or a PTP daemon"};
  }
  const bool chrony = daemon == "chronyd";
  return {.severity = Severity::kBad,
          .about = "clock",
          .what = fmt::format(
              "{} runs, but the kernel reports the system clock as not synchronised", daemon),
          .advice = chrony ? "if `chronyc tracking` shows a synchronised clock, add the line "
                             "`rtcsync` to /etc/chrony/chrony.conf and restart chronyd, so that "
                             "it informs the kernel"
                           : "the wall uses the system clock: check that the daemon has a time "
                             "source, and that it informs the kernel"};
}

}  // namespace

TimeDaemonAnswers ask_time_daemons() {
  return {.chrony = answer_of({"chronyc", "-n", "-c", "tracking"}),
          .ptp = answer_of({"pmc", "-u", "-b", "0", "GET PORT_DATA_SET"})};
}

void check_clock(const fs::path& root, const sail::SystemClockReading& reading, bool follows,
                 const TimeDaemonAnswers& answers, Findings& findings) {
  const std::string daemon = clock_daemon(root);
  Finding finding = by_kernel(daemon, reading);
  if (const auto tracking = chrony_tracking(answers.chrony)) {
    add_chrony(*tracking, reading.synchronised, finding);
  } else {
    add_ptp(ptp_states(answers.ptp), finding);
  }
  if (finding.severity == Severity::kBad && !follows) {
    finding.severity = Severity::kNote;
    finding.advice = "affects only times in logs: the wall's time comes from its manager";
  }
  findings.push_back(std::move(finding));
}

}  // namespace ui
