#include "manager/programs/node_checkups.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>

#include "manager/peers/receiver_roster.h"
#include "manager/programs/child_programs.h"
#include "manager/programs/node_command.h"

namespace manager {
namespace {

constexpr size_t kMostFindingBytes = 256 << 10;

// The doctor has a log of its own, because the node's log shows the output and the end of the
// node's receiver.
std::string log_of(const std::string& node) {
  return node + " (doctor)";
}

}  // namespace

NodeCheckups::NodeCheckups(sail::Loop& loop, NodeLogs& logs, const sail::Wall& wall,
                           NodeStart start, std::string program, int64_t timeout_ms)
    : loop_(loop),
      logs_(logs),
      wall_(wall),
      start_(std::move(start)),
      program_(std::move(program)),
      timeout_ms_(timeout_ms) {}

NodeProgram NodeCheckups::program_for(const sail::AppPlace& node) const {
  std::string program = is_this_host(node.host) ? program_ : "vitrail";
  const auto receiver = std::ranges::find(wall_.receivers, node.name, &sail::ReceiverPlace::name);
  // If the wall file gives the receiver's path, vitrail is in the same folder.
  if (receiver != wall_.receivers.end() && receiver->program.find('/') != std::string::npos) {
    program = std::filesystem::path(receiver->program).replace_filename("vitrail");
  }
  return app_program(node, false, {program, "doctor", "--json", "--as", node.name});
}

void NodeCheckups::run(const std::string& name, const Done& done) {
  const std::vector<sail::AppPlace> nodes = render_nodes(wall_);
  const auto node = std::ranges::find(nodes, name, &sail::AppPlace::name);
  if (node == nodes.end()) {
    return done(
        sail::fail(sail::ErrorCode::kNotFound, fmt::format("the wall has no node '{}'", name)));
  }
  if (checkups_.size() >= kMostAtOnce) {
    return done(sail::fail(sail::ErrorCode::kLimit,
                           "too many checks of nodes are running: try again later"));
  }
  auto command = node_command(program_for(*node), start_);
  if (!command) return done(command.error());
  const int output = logs_.begin(log_of(name));
  const int number = next_++;
  auto process = sail::Process::spawn_for_output(
      loop_, command->arguments, command->environment, kMostFindingBytes,
      [this, number, name, done](int64_t exit_status, int signal, std::string_view printed) {
        const auto over = checkups_.extract(number);
        const bool late = !over.empty() && over.mapped().late;
        done(findings(
            name, printed,
            late ? fmt::format("took longer than {:g} s", static_cast<double>(timeout_ms_) / 1000)
                 : "ended with " + exit_text(exit_status, signal)));
      },
      {.input = std::move(command->input), .output = output});
  if (output >= 0) close(output);
  if (!process) return done(process.error());
  Checkup& checkup = checkups_[number];
  checkup.process = std::move(*process);
  checkup.timeout = std::make_unique<sail::Timer>(loop_);
  checkup.timeout->start(timeout_ms_, 0, [&checkup] {
    checkup.late = true;
    checkup.process->signal(SIGKILL);
  });
}

// Ignores the exit status, which is 1 if a finding is bad.
sail::Result<sail::Json> NodeCheckups::findings(const std::string& node, std::string_view output,
                                                const std::string& how) const {
  const auto parsed = sail::parse_json(output, kMostFindingBytes);
  if (parsed && parsed->is_object() && parsed->contains("findings") &&
      (*parsed)["findings"].is_array()) {
    return sail::Json{{"node", node}, {"findings", (*parsed)["findings"]}};
  }
  const std::string error = last_error(logs_.end_of_run(log_of(node)), {});
  return sail::fail(sail::ErrorCode::kIo, fmt::format("`vitrail doctor` on '{}' {}{}{}", node, how,
                                                      error.empty() ? "" : ": ", error));
}

}  // namespace manager
