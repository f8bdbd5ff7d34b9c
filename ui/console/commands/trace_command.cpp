// The command trace: records when each frame passed each stage.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/trace_answers.h"
#include "ui/client/answers.h"
#include "ui/client/chrome_trace.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

struct TraceArguments {
  std::string file;
  double seconds = 5;
};

// Wait after the recording, so that the last frames reach the wall.
constexpr int64_t kTransitMs = 500;
// Limit of parts read from one process.
constexpr size_t kMostParts = 1000;

// Reads the stamps of one process. Stamps of a process that has ended are kept.
std::optional<TracedProcess> read_trace(Context& context, const sail::Json& process) {
  TracedProcess process_trace{
      .name = fmt::format("{} {}", text_member(process, "role"), text_member(process, "name")),
      .stamps = {}};
  sail::Json from = 0;
  for (size_t part = 0; part < kMostParts && !from.is_null(); ++part) {
    const auto answer =
        context.call("trace_read", {{"process", member(process, "process")}, {"from", from}});
    if (!answer) return std::nullopt;
    auto stamps = sail::trace_part(*answer);
    if (!stamps) {
      context.report(stamps.error());
      return std::nullopt;
    }
    process_trace.stamps.insert(process_trace.stamps.end(), stamps->begin(), stamps->end());
    from = answer->value("next", sail::Json());
  }
  return process_trace;
}

int trace(Context& context, const TraceArguments& arguments) {
  const auto begun = context.call("trace", {{"seconds", arguments.seconds}});
  if (!begun) return context.failure();
  const int64_t until_ns =
      sail::steady_now_ns() + std::llround(arguments.seconds * 1e9) + kTransitMs * 1'000'000;
  for (int64_t now_ns = sail::steady_now_ns(); now_ns < until_ns; now_ns = sail::steady_now_ns()) {
    const auto left_ms = (until_ns - now_ns) / 1'000'000 + 1;
    if (const auto lost = context.client->wait(left_ms)) return context.report(*lost);
  }
  std::vector<TracedProcess> processes;
  size_t stamps = 0;
  for (const sail::Json& process : member(*begun, "processes")) {
    auto process_trace = read_trace(context, process);
    if (!process_trace) continue;
    stamps += process_trace->stamps.size();
    processes.push_back(*std::move(process_trace));
  }
  std::ofstream file(arguments.file, std::ios::binary);
  file << chrome_trace(processes).dump() << '\n';
  if (!file.flush()) {
    return context.report(
        sail::fail(sail::ErrorCode::kIo, fmt::format("cannot write {}", arguments.file)));
  }
  return context.done(
      {{"file", arguments.file}, {"stamps", stamps}},
      fmt::format(
          "wrote {} timestamps of {} processes to {}: open the file in https://ui.perfetto.dev",
          stamps, processes.size(), arguments.file));
}

}  // namespace

void add_trace_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<TraceArguments>();
  const Command command =
      app.command("trace", "Record when each frame passed each stage, for Perfetto or Chrome")
          .group("Wall");
  command.option("file", arguments->file, "File to write, such as trace.json").required();
  command.option("--seconds", arguments->seconds, "Duration in seconds, 0.1 to 60 (default: 5)")
      .between(0.1, 60.0);
  command.runs([&context, arguments] { return trace(context, *arguments); });
}

}  // namespace ui
