#include "ui/client/chrome_trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "sail/core/wire/trace_answers.h"

namespace ui {
namespace {

using sail::TraceStage;
using sail::TraceStamp;

double microseconds(int64_t ns) {
  return static_cast<double>(ns) / 1e3;
}

bool is_work(TraceStage stage) {
  switch (stage) {
    case TraceStage::kSubmit:
    case TraceStage::kEncode:
    case TraceStage::kDecode:
    case TraceStage::kPaint:
    case TraceStage::kSwap:
      return true;
    default:
      return false;
  }
}

// An application's threads each serve one stream; a receiver's threads serve all streams.
std::string thread_name(const TraceStamp& stamp) {
  const char* const stage = sail::trace_stage_name(stamp.stage);
  switch (stamp.stage) {
    case TraceStage::kSubmit:
      return fmt::format("{}, stream {}", stage, stamp.stream);
    case TraceStage::kEncode:
      return fmt::format("{}, stream {}, lane {}", stage, stamp.stream, stamp.lane);
    case TraceStage::kDecode:
      return stage;
    default:
      return "paint and swap";
  }
}

sail::Json named(const char* what, size_t pid, size_t tid, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", pid}, {"tid", tid}, {"args", {{"name", name}}}};
}

class ProcessEvents {
 public:
  ProcessEvents(size_t pid, int64_t zero_ns, sail::Json& events)
      : pid_(pid), zero_ns_(zero_ns), events_(events) {}

  void add(const TraceStamp& stamp) {
    sail::Json event = {{"name", sail::trace_stage_name(stamp.stage)},
                        {"cat", "frame"},
                        {"pid", pid_},
                        {"ts", microseconds(stamp.begin_ns - zero_ns_)},
                        {"args", {{"stream", stamp.stream}, {"frame", stamp.frame}}}};
    const int64_t length_ns = std::max<int64_t>(stamp.end_ns - stamp.begin_ns, 0);
    if (is_work(stamp.stage)) {
      event["ph"] = "X";
      event["tid"] = thread_of(stamp);
      event["dur"] = microseconds(length_ns);
      events_.push_back(std::move(event));
      return;
    }
    event["ph"] = "b";
    event["tid"] = 0;
    event["id"] = fmt::format("{}-{}", pid_, ++spans_);
    events_.push_back(event);
    event["ph"] = "e";
    event["ts"] = microseconds(stamp.begin_ns + length_ns - zero_ns_);
    events_.push_back(std::move(event));
  }

 private:
  size_t thread_of(const TraceStamp& stamp) {
    const std::string name = thread_name(stamp);
    const auto [known, is_new] = threads_.try_emplace(name, threads_.size() + 1);
    if (is_new) events_.push_back(named("thread_name", pid_, known->second, name));
    return known->second;
  }

  const size_t pid_;
  const int64_t zero_ns_;
  sail::Json& events_;
  std::map<std::string, size_t> threads_;
  uint64_t spans_ = 0;
};

}  // namespace

sail::Json chrome_trace(const std::vector<TracedProcess>& processes) {
  int64_t zero_ns = INT64_MAX;
  for (const TracedProcess& process : processes) {
    for (const TraceStamp& stamp : process.stamps) zero_ns = std::min(zero_ns, stamp.begin_ns);
  }
  sail::Json events = sail::Json::array();
  for (size_t i = 0; i < processes.size(); ++i) {
    events.push_back(named("process_name", i + 1, 0, processes[i].name));
    ProcessEvents process(i + 1, zero_ns, events);
    for (const TraceStamp& stamp : processes[i].stamps) process.add(stamp);
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
}

}  // namespace ui
